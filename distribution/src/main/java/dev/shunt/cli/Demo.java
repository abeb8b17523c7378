package dev.shunt.cli;

import dev.shunt.api.Access;
import dev.shunt.api.Engine;
import dev.shunt.api.Operation;
import dev.shunt.api.Segment;
import dev.shunt.api.Status;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The story that {@code shunt demo} tells. */
final class Demo {
  private static final long SEED = 0x5eed;

  private final long size;
  private final long block;
  private final Deadline deadline;
  private final PrintWriter err;

  Demo(long size, long block, Duration deadline, PrintWriter err) {
    this.size = size;
    this.block = block;
    this.deadline = Deadline.in(deadline);
    this.err = err;
  }

  /** Tells it, and what came of it. Leaves no process behind. */
  DemoReport run(Settings settings, List<String> configArguments) throws InterruptedException {
    var arguments = new ArrayList<>(List.of("--memory", size + "B"));
    arguments.addAll(configArguments);
    // Ours first: what is wrong with the configuration is then told once.
    try (var engine = settings.open();
        var child = PeerProcess.start(arguments)) {
      var source = Memory.allocate(engine.arena(), size, "--size");
      var back = Memory.allocate(engine.arena(), size, "--size");
      engine.register(source, Access.LOCAL);
      engine.register(back, Access.LOCAL);
      Payload.fill(source, SEED);

      var name = child.awaitReady(deadline);
      var peer = engine.openSegment(name, deadline.left("opening " + name));
      var copier = new Copier(engine, peer, block, err, Terminal.watchesErrors());
      var questions = new Questions(engine, peer);

      long write = copier.copy(Operation.WRITE, "write", source, deadline);
      var there = questions.checksum(0, size, deadline);
      long read = copier.copy(Operation.READ, "read back", back, deadline);
      long ping = questions.ping(deadline);
      return new DemoReport(
          size,
          block,
          write,
          read,
          new DemoReport.Checksums(Payload.checksum(source), there, Payload.checksum(back)),
          ping,
          List.of(
              new DemoReport.Node(engine.name(), ProcessHandle.current().pid(), "this process"),
              new DemoReport.Node(name, child.pid(), "started by it")),
          rails(engine, peer));
    }
  }

  private static List<String> rails(Engine engine, Segment peer) {
    return engine.status().peers().stream()
        .filter(p -> p.name().equals(peer.name()))
        .flatMap(p -> p.paths().stream())
        .filter(path -> path.state().equals("UP"))
        .map(Demo::describe)
        .toList();
  }

  private static String describe(Status.PathStatus path) {
    return path.transport() + " " + path.localRail() + " > " + path.remoteRail();
  }
}

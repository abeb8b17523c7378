package dev.shunt.cli;

import dev.shunt.api.Access;
import dev.shunt.api.Engine;
import dev.shunt.api.Operation;
import dev.shunt.api.Segment;
import dev.shunt.api.Status;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The story that {@code shunt demo} tells. */
final class Demo {
  private static final long SEED = 0x5eed;

  private final long size;
  private final long block;
  private final Deadline deadline;
  private final Optional<Cable> cable;
  private final PrintWriter err;

  /**
   * A story.
   *
   * @param cable by which the other node's second rail is reached; empty if it is not
   */
  Demo(long size, long block, Duration deadline, Optional<Cable> cable, PrintWriter err) {
    this.size = size;
    this.block = block;
    this.deadline = Deadline.in(deadline);
    this.cable = cable;
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
      var checksums =
          new DemoReport.Checksums(Payload.checksum(source), there, Payload.checksum(back));
      var rails = rails(engine, peer);
      var missing = DemoFault.missing(engine, cable);
      var fault = Optional.<DemoFault.Told>empty();
      if (missing.isEmpty()) {
        var pulled = new DemoFault(engine, peer, cable.orElseThrow(), source, block, deadline);
        fault = Optional.of(pulled.run(Math.min(write, read)));
        checksums = checksums.and(again(copier, questions, source, back));
      }
      return new DemoReport(
          size,
          block,
          write,
          read,
          checksums,
          ping,
          List.of(
              new DemoReport.Node(engine.name(), ProcessHandle.current().pid(), "this process"),
              new DemoReport.Node(name, child.pid(), "started by it")),
          rails,
          fault,
          missing);
    }
  }

  /** What was written around the fault, and after it, is compared as well. */
  private DemoReport.Checksums again(
      Copier copier, Questions questions, MemorySegment source, MemorySegment back)
      throws InterruptedException {
    var there = questions.checksum(0, size, deadline);
    copier.copy(Operation.READ, "read back", back, deadline);
    return new DemoReport.Checksums(Payload.checksum(source), there, Payload.checksum(back));
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

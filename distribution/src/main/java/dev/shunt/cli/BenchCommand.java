package dev.shunt.cli;

import dev.shunt.api.Engine;
import dev.shunt.api.Operation;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shunt bench}. */
@Command(
    name = "bench",
    header = "Measures how fast memory is written or read.",
    description = {
      "Each thread submits a batch, waits for its end, and submits the next.",
      "",
      "JSON: an object with 'operation', 'block', 'batch', 'threads', 'seconds', 'bytes',"
          + " 'requests', 'gib_per_second', 'requests_per_second', 'batch_latency_us', 'peer' and"
          + " 'machine'; with --verify also 'verified_bytes'."
    },
    footer = {
      "%nExamples:",
      "  shunt bench --block 4MiB --batch 4 --operation read",
      "  shunt bench 10.0.0.2:15000 --threads 4 --duration 30s --report bench.html"
    })
final class BenchCommand extends EngineCommand {
  private static final Duration START = Duration.ofSeconds(60);
  private static final int MOST_THREADS = 256;
  private static final int MOST_REQUESTS = 65_536;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description =
          "The node to measure against, its address under p2p. Default: a second process.")
  private Optional<String> peer = Optional.empty();

  @Option(
      names = "--operation",
      paramLabel = "OPERATION",
      defaultValue = "write",
      description = "write or read. Default: ${DEFAULT-VALUE}.")
  private Operation operation;

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      defaultValue = "1MiB",
      description = "Bytes of a request. Default: ${DEFAULT-VALUE}.")
  private ByteSize block;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "8",
      description = "Requests of a batch. Default: ${DEFAULT-VALUE}.")
  private int batch;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "Threads that submit. Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "How long to measure. Default: ${DEFAULT-VALUE}.")
  private Duration duration;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      defaultValue = "2s",
      converter = WarmUp.class,
      description = "How long to do the same before that. Default: ${DEFAULT-VALUE}.")
  private Duration warmUp;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "Memory on each side that the requests go round in; by default what is under way at a"
              + " time.")
  private Optional<ByteSize> memory = Optional.empty();

  @Option(
      names = "--verify",
      description =
          "Write other bytes each time, read them back after each batch, and once more before they"
              + " are written over: a difference is an error. Reading back counts in no figure.")
  private boolean verify;

  @Option(
      names = "--report",
      paramLabel = "FILE.html",
      description =
          "Also write a page that draws rate and latency over time, and marks when rails, paths and"
              + " peers were lost and came back; it needs no network.")
  private Optional<Path> page = Optional.empty();

  @Override
  Integer execute() throws InterruptedException {
    quiet();
    tellsOfSilentPeers();
    var file = page.map(path -> new OutputFile("--report", path, false));
    file.ifPresent(OutputFile::check);
    // A node of the same file that runs here already has the port.
    var settings = settings(NotifyCommand.ANY_PORT);
    var work = work(settings.transferDeadline());
    try (var engine = settings.open();
        var second = peer.isPresent() ? null : start(work)) {
      var name = second == null ? peer.orElseThrow() : second.awaitReady(Deadline.in(START));
      var segment = open(engine, settings, name, settings.requestTimeout());
      var report = run(engine, segment, work);
      file.ifPresent(
          to -> {
            var html = BenchPage.html(report).getBytes(StandardCharsets.UTF_8);
            to.write(
                out -> {
                  out.write(html);
                  return html.length;
                });
          });
      if (json()) {
        out().println(Json.of(report.toMap()));
      } else {
        report.toLines().forEach(line -> out().println(Printable.of(line)));
      }
      out().flush();
      return ExitCode.OK.number();
    }
  }

  private BenchReport run(Engine engine, Segment segment, Bench.Work work)
      throws InterruptedException {
    try {
      return watched(engine, segment, work);
    } catch (ShuntException e) {
      throw Unreached.told(e, segment.name(), engine.status().peers());
    }
  }

  /** With a page, what happens to rails, paths and peers meanwhile is marked on it. */
  private BenchReport watched(Engine engine, Segment segment, Bench.Work work)
      throws InterruptedException {
    var bench = new Bench(engine, segment, work);
    if (page.isEmpty()) {
      return bench.run(err(), Terminal.watchesErrors());
    }
    try (var watch = FaultWatch.begin(engine.name())) {
      var report = bench.run(err(), Terminal.watchesErrors());
      return report.with(watch.end(report.started(), report.whole()));
    }
  }

  private PeerProcess start(Bench.Work work) {
    var arguments = new ArrayList<>(List.of("--memory", work.memory() + "B"));
    arguments.addAll(configArguments(NotifyCommand.ANY_PORT));
    return PeerProcess.start(arguments);
  }

  private Bench.Work work(Duration deadline) {
    within("--threads", threads, MOST_THREADS);
    if (verify && operation != Operation.WRITE) {
      throw usage("--verify reads back what was written: it goes with --operation write");
    }
    within("--batch", batch, MOST_REQUESTS);
    if (block.bytes() > Long.MAX_VALUE / ((long) batch * threads)) {
      throw usage(
          "--block "
              + Units.bytes(block.bytes())
              + " is too large for "
              + Units.count((long) batch * threads, "request")
              + " at a time");
    }
    long least = block.bytes() * batch * threads;
    long bytes = memory.map(ByteSize::bytes).orElse(least);
    if (bytes < least) {
      throw usage(
          "--memory "
              + Units.bytes(bytes)
              + " is less than what is under way at a time, "
              + Units.bytes(least));
    }
    return new Bench.Work(
        operation, block.bytes(), batch, threads, bytes, warmUp, duration, deadline, verify);
  }

  private void within(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw usage(option + " " + value + " is out of range; it is 1 to " + most);
    }
  }
}

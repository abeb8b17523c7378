package dev.shunt.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shunt demo}. */
@Command(
    name = "demo",
    header = "Moves verified bytes between two nodes on this machine.",
    description = {
      "Two nodes on this machine: this process and a second one that it starts. Writes a batch into the"
          + " other's memory, reads it back elsewhere, compares checksums on both sides, and sends a"
          + " notification there and back. Then one of the two rails is lost while blocks are on their"
          + " way: the bytes to it go through a relay in this process, which is closed, and opened again"
          + " later. That is a fault as a pulled cable that resets; what a cable does that swallows"
          + " bytes, distribution/failover-links shows, as root.",
      "",
      "JSON: an object with 'verified', 'bytes', 'block', 'seconds', 'gib_per_second',"
          + " 'checksum', 'notification_ms', 'nodes', 'rails' and 'fault': rates and bytes by rail 'before'"
          + " it, 'without' the rail and 'after' its return, 'longest_gap_ms', 'slices_redone',"
          + " 'returned_after_ms', or 'none' and why."
    })
final class DemoCommand extends EngineCommand {
  /** Two ways between the nodes, each an address of its own. */
  static final List<String> TWO_RAILS =
      List.of(
          "transports.tcp.rails=[\"127.0.0.1\", \"127.0.0.2\"]",
          "control.bind=[\"127.0.0.1\", \"127.0.0.2\"]",
          "control.port=0");

  /** Nor do two nodes of one file share a port for operators. */
  private static final List<String> OWN =
      Stream.of(TWO_RAILS, NotifyCommand.ANY_PORT, List.of("transports.tcp.rail-cooldown=500ms"))
          .flatMap(List::stream)
          .toList();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "64MiB",
      description = "How much to write and read back. Default: ${DEFAULT-VALUE}.")
  private ByteSize size;

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      defaultValue = "1MiB",
      description = "How much of it one request carries. Default: ${DEFAULT-VALUE}.")
  private ByteSize block;

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "How long all of it may take. Default: ${DEFAULT-VALUE}.")
  private Duration deadline;

  @Override
  Integer execute() throws InterruptedException {
    quiet();
    expectFaults();
    var settings = settings(OWN);
    var report = tell(settings);
    if (json()) {
      out().println(Json.of(report.toMap()));
    } else {
      report.toLines().forEach(line -> out().println(Printable.of(line)));
    }
    out().flush();
    return (report.verified() ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private DemoReport tell(Settings settings) throws InterruptedException {
    var cable = DemoFault.cable();
    try {
      var other = new ArrayList<>(OWN);
      cable.ifPresent(it -> other.set(0, DemoFault.rails(it)));
      return new Demo(size.bytes(), block.bytes(), deadline, cable, err())
          .run(settings, configArguments(other));
    } finally {
      cable.ifPresent(Cable::close);
    }
  }
}

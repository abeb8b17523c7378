package dev.shunt.cli.doctor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at the machine, in the order in which people read it. */
public final class Doctor {
  private static final long PATIENCE_MILLIS = 2000;

  private final Kernel kernel = new Kernel(Path.of("/"));
  private final Signals signals = new Signals(kernel);

  /** Signals that were handled when this was made. */
  private final Optional<Long> before = signals.caught();

  /**
   * What the configuration wants of the machine.
   *
   * @param places to listen on
   * @param rails addresses of rails
   * @param peers addresses that the rails should lead to
   * @param connections most of them at a time
   * @param locks whether memory gets locked
   */
  public record Wants(
      List<Ports.Place> places,
      List<String> rails,
      List<String> peers,
      long connections,
      boolean locks) {}

  /** Makes one; to be done before any plug-in is loaded. */
  public Doctor() {}

  /** The machine by itself. */
  public List<Finding> machine() throws InterruptedException {
    var findings = new ArrayList<>(new Machine(kernel, System::getProperty).findings());
    findings.addAll(new Clocks(kernel, System::currentTimeMillis, System::nanoTime).findings());
    return findings;
  }

  /** What the configuration wants of it. */
  public List<Finding> wants(Wants wants) {
    var findings = new ArrayList<>(new Limits(kernel).findings(wants.connections(), wants.locks()));
    findings.addAll(new Ports(kernel).findings(wants.places()));
    findings.addAll(
        new Routes(new RouteTable(kernel, true)).findings(wants.rails(), wants.peers()));
    return findings;
  }

  /**
   * How links are watched, while the transport runs in this process.
   *
   * @param wanted what {@code transports.tcp.link-events} says
   * @param interval what {@code transports.tcp.link-poll-interval} says
   */
  public Finding links(String wanted, Duration interval) throws InterruptedException {
    return new LinkEvents(kernel).finding(wanted, interval.toMillis(), PATIENCE_MILLIS);
  }

  /** What became of the signals since this was made. */
  public Finding signals() {
    return Signals.compare(before, signals.caught());
  }
}

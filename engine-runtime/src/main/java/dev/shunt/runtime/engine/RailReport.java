package dev.shunt.runtime.engine;

import dev.shunt.api.Status;
import dev.shunt.api.spi.RailHealth;
import dev.shunt.api.spi.RailHealth.RailRecord;
import dev.shunt.runtime.transport.TransportHost;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What people are told of a rail. */
final class RailReport {
  private RailReport() {}

  /**
   * A rail's status.
   *
   * @param record what the steward knows of it
   */
  static Status.RailStatus of(TransportHost host, int rail, RailRecord record) {
    var waits = record.state() == RailHealth.State.RECOVERING && !record.checking();
    var verified = record.verifiedAt() != Long.MIN_VALUE;
    var name = host.rails().get(rail).name();
    return new Status.RailStatus(
        name,
        record.state().name(),
        record.changed()
            ? Optional.of(time(host, name, "since", record.since()))
            : Optional.empty(),
        record.reason(),
        waits ? Optional.of(time(host, name, "recovers", record.recoverAt())) : Optional.empty(),
        verified
            ? Optional.of(time(host, name, "verified", record.verifiedAt()))
            : Optional.empty(),
        Duration.ofNanos(record.nextDelay()),
        record.failuresInARow());
  }

  /** What people read, of monotonic nanoseconds. */
  private static Instant time(TransportHost host, String rail, String what, long nanos) {
    return host.journal().at("rail " + host.id() + "/" + rail + " " + what, nanos, host.now());
  }
}

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
    return new Status.RailStatus(
        host.rails().get(rail).name(),
        record.state().name(),
        record.changed() ? Optional.of(time(host, record.since())) : Optional.empty(),
        record.reason(),
        waits ? Optional.of(time(host, record.recoverAt())) : Optional.empty(),
        verified ? Optional.of(time(host, record.verifiedAt())) : Optional.empty(),
        Duration.ofNanos(record.nextDelay()),
        record.failuresInARow());
  }

  /** What people read, of monotonic nanoseconds. */
  private static Instant time(TransportHost host, long nanos) {
    return host.journal().now().plus(Duration.ofNanos(nanos - host.now()));
  }
}

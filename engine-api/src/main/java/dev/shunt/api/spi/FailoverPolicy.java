package dev.shunt.api.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides what becomes of a slice that failed, which paths rest, which of our rails are used, and
 * which peers are not called. Pure: no thread, clock or random of its own.
 */
public interface FailoverPolicy {
  /** What to do with a slice. Called on lanes, at the same time: depends on its argument alone. */
  Decision decide(SliceFailure failure);

  /**
   * The health of paths, as a machine of its own for the steward's thread. Called while transports
   * start, for several at the same time.
   *
   * @param transport the transport's id, whose thresholds count
   */
  PathHealth paths(String transport);

  /**
   * Which of our own rails are used, as a machine of its own for the steward's thread. Without one
   * a rail is out of use just as long as its transport says so.
   *
   * @param transport the transport's id
   */
  default Optional<RailHealth> rails(String transport) {
    return Optional.empty();
  }

  /**
   * Which peers do not answer, as a machine of its own for the control thread. Without one each
   * call pays its own timeout.
   */
  default Optional<PeerHealth> peers() {
    return Optional.empty();
  }

  /**
   * How long after the end of an attempt that nobody can fence ({@link Limits.Fencing#GRACE}) its
   * redo counts as complete.
   */
  default Duration unfencedGrace() {
    return Duration.ofSeconds(1);
  }
}

package dev.shunt.api.spi;

import java.time.Duration;

/**
 * Decides what becomes of a slice that failed, and which paths rest. Pure: no thread, clock or
 * random of its own.
 */
public interface FailoverPolicy {
  /** What to do with a slice. Called on lanes, at the same time: depends on its argument alone. */
  Decision decide(SliceFailure failure);

  /**
   * The health of paths, as a machine of its own for the steward's thread.
   *
   * @param transport the transport's id, whose thresholds count
   */
  PathHealth paths(String transport);

  /**
   * How long after the end of an attempt that nobody can fence ({@link Limits.Fencing#GRACE}) its
   * redo counts as complete.
   */
  default Duration unfencedGrace() {
    return Duration.ofSeconds(1);
  }
}

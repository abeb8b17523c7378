package dev.shunt.api.spi;

import java.util.Optional;

/** Counts the faults of paths and lets them rest. Called on the steward's thread. */
public interface PathHealth {
  /**
   * A channel on the path is up.
   *
   * @param link its {@link LinkId#attempt()}: later links of a node have higher numbers
   */
  void connected(PathId path, long link, long now);

  /**
   * A channel on the path failed, or could not be had. What an older link than the one that is up
   * has to say is no news of the path.
   *
   * @param link its {@link LinkId#attempt()}
   * @return until when the path is paused, or {@code now} if it is not
   */
  long failed(PathId path, long link, Fault fault, long now);

  /** The path carried something well. */
  void succeeded(PathId path, long now);

  /**
   * The remote had said that it does not use one of its rails, and says now that it does again.
   * What was counted against paths there is explained by that: none of them rests any more.
   */
  default void returned(String remote, int remoteRail, long now) {}

  /** Nothing of the remote is remembered any more. */
  void forget(String remote);

  /** What is remembered of a path, for people; empty if nothing is. */
  default Optional<PathRecord> record(PathId path, long now) {
    return Optional.empty();
  }

  /**
   * What is remembered of a path.
   *
   * @param faults that count towards the next pause
   * @param pauses how many it has had without a long quiet time in between
   * @param pausedUntil nanoseconds; in the past if it is not paused
   * @param nextPause how long the next one would be, in nanoseconds
   */
  record PathRecord(int faults, int pauses, long pausedUntil, long nextPause) {}
}

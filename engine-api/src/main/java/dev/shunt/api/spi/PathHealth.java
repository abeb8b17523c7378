package dev.shunt.api.spi;

/** Counts the faults of paths and lets them rest. Called on the steward's thread. */
public interface PathHealth {
  /**
   * A channel on the path failed, or could not be had.
   *
   * @return until when the path is paused, or {@code now} if it is not
   */
  long failed(PathId path, Fault fault, long now);

  /** The path carried something well. */
  void succeeded(PathId path, long now);

  /** Nothing of the remote is remembered any more. */
  void forget(String remote);
}

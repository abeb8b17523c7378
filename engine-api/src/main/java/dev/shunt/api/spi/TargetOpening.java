package dev.shunt.api.spi;

import java.util.List;

/** What came of opening a target. */
public sealed interface TargetOpening {
  /**
   * It is there.
   *
   * @param size bytes that can be addressed, from 0
   * @param blockSize addresses and lengths are multiples of it
   * @param maxSlice the most bytes of a slice that this target takes
   * @param rails the ways in, at least one
   */
  record Opened(long size, int blockSize, long maxSlice, List<RemoteRail> rails)
      implements TargetOpening {}

  /** It cannot be opened. */
  record Refused(Fault fault) implements TargetOpening {}
}

package dev.shunt.runtime.transfer.core;

/** Cuts requests. */
public final class Slicer {
  private Slicer() {}

  /**
   * The length of the next slice. A last piece of up to a quarter of a slice is not sent alone but
   * with the one before it (as Mooncake's engines do), where the transport takes that.
   *
   * @param remaining bytes of the request that are not cut yet, 1 or more
   * @param sliceSize the usual size
   * @param maxSlice the most that the transport takes, {@code sliceSize} at least
   */
  public static long next(long remaining, long sliceSize, long maxSlice) {
    if (remaining <= sliceSize) {
      return remaining;
    }
    if (remaining - sliceSize <= sliceSize / 4 && remaining <= maxSlice) {
      return remaining;
    }
    return sliceSize;
  }
}

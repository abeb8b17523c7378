package dev.shunt.runtime.observe;

/** The bounds of the histograms of times; the last bucket has none. */
public final class Buckets {
  private static final long[] BOUNDS = {
    50_000L,
    100_000L,
    250_000L,
    500_000L,
    1_000_000L,
    2_500_000L,
    5_000_000L,
    10_000_000L,
    25_000_000L,
    50_000_000L,
    100_000_000L,
    250_000_000L,
    500_000_000L,
    1_000_000_000L,
    2_500_000_000L,
    5_000_000_000L,
    10_000_000_000L,
    30_000_000_000L
  };

  /** How many there are. */
  public static final int COUNT = BOUNDS.length + 1;

  private Buckets() {}

  /** The bucket of a time. */
  static int of(long nanos) {
    int i = 0;
    while (i < BOUNDS.length && nanos > BOUNDS[i]) {
      i++;
    }
    return i;
  }

  /** The bound of a bucket in seconds, as Prometheus writes it. */
  static String bound(int bucket) {
    return bucket == BOUNDS.length ? "+Inf" : Exposition.decimal(BOUNDS[bucket] / 1e9);
  }
}

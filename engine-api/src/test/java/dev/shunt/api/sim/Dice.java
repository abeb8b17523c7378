package dev.shunt.api.sim;

/**
 * Seeded random numbers, the same in each JVM. A labelled split does not depend on how much was
 * drawn before, so that a new draw in one place does not change all others.
 */
public final class Dice {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final long origin;
  private long state;

  /** Dice of a seed. */
  public Dice(long seed) {
    origin = mix(seed + GOLDEN);
    state = origin;
  }

  /** Dice of their own for a purpose. */
  public Dice split(String label) {
    return new Dice(origin ^ mix(label.hashCode()));
  }

  /** 64 random bits. */
  public long next() {
    state += GOLDEN;
    return mix(state);
  }

  /** From 0 up to, and without, a bound of 1 or more. */
  public long below(long bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("a bound of " + bound + "; it must be 1 at least");
    }
    return Math.unsignedMultiplyHigh(next(), bound);
  }

  /** From the first to the last, both included. */
  public long between(long first, long last) {
    return first + below(last - first + 1);
  }

  /** True in so many cases of a thousand. */
  public boolean permille(int cases) {
    return cases > 0 && below(1000) < cases;
  }

  static long mix(long x) {
    long z = x;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}

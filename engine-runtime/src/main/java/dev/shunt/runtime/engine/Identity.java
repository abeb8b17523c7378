package dev.shunt.runtime.engine;

import dev.shunt.runtime.agent.Platform;

/** Who this process is: differs from every earlier process of the same name. */
final class Identity {
  private static final int RANDOM_BITS = 22;

  private Identity() {}

  /** A new generation: the time in milliseconds above, chance below; never 0. */
  static long generation(Platform platform) {
    var chance = platform.random() & ((1L << RANDOM_BITS) - 1);
    return Math.max(1, platform.wallMillis() << RANDOM_BITS | chance);
  }
}

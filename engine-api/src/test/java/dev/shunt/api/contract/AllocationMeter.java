package dev.shunt.api.contract;

import java.util.function.BooleanSupplier;

/**
 * Measures heap bytes on the test's thread, which is the thread of all turns. What allocates for
 * each slice allocates in each round; what is left of warming up does not. So the best of many
 * rounds tells, and it must be exactly 0.
 */
final class AllocationMeter {
  private static final int ROUNDS = 3000;
  private static final int SLICES = 16;

  private final ContractBench bench;
  private final ContractChannel channel;
  private final ContractSlice[] slices = new ContractSlice[SLICES];
  private final BooleanSupplier ended = this::ended;
  private int count;

  AllocationMeter(ContractBench bench) {
    this.bench = bench;
    channel = bench.up();
    long length = bench.blocks(200);
    for (int i = 0; i < SLICES; i++) {
      slices[i] =
          bench.slice(i % 2 == 0 || !bench.limits().reads(), i * length, i * length, length);
    }
  }

  private boolean ended() {
    for (int i = 0; i < count; i++) {
      if (!slices[i].ended()) {
        return false;
      }
    }
    return true;
  }

  private void post() {
    count = 0;
    channel.begin();
    while (count < SLICES && channel.room() > 0) {
      channel.postOnly(slices[count++]);
    }
    channel.end();
  }

  long leastOfPost() {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least > 0; round++) {
      long before = Allocated.bytes();
      post();
      least = Math.min(least, Allocated.bytes() - before);
      bench.await("a round of slices", ended);
    }
    return least;
  }

  long leastOfAll() {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least > 0; round++) {
      long before = Allocated.bytes();
      post();
      boolean came = bench.stage().until(ended, Contract.LIMIT);
      least = Math.min(least, Allocated.bytes() - before);
      bench.check();
      if (!came) {
        throw new AssertionError("a round of slices did not end");
      }
    }
    return least;
  }
}

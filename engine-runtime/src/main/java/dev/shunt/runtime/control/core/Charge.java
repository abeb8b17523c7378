package dev.shunt.runtime.control.core;

import java.util.function.LongSupplier;

/** What one connection's requests take of the {@link HeapBudget}. */
final class Charge implements HeapBudget.Holder, FramePart.Room {
  private final HeapBudget budget;
  private final LongSupplier since;
  private final Runnable dropping;
  private long half;
  private long whole;
  private long now;

  /**
   * Nothing taken.
   *
   * @param since when the half request last moved
   * @param dropping drops the half request
   */
  Charge(HeapBudget budget, LongSupplier since, Runnable dropping) {
    this.budget = budget;
    this.since = since;
    this.dropping = dropping;
  }

  private static long counted(int bytes) {
    return bytes > HeapBudget.FREE ? bytes : 0;
  }

  /** What comes next comes now. */
  void at(long time) {
    now = time;
  }

  @Override
  public boolean grow(int before, int after) {
    long more = counted(after) - counted(before);
    if (more == 0 || budget.claim(this, more, now)) {
      half += more;
      return true;
    }
    free();
    return false;
  }

  @Override
  public long half() {
    return half;
  }

  @Override
  public long since() {
    return since.getAsLong();
  }

  @Override
  public void giveWay() {
    free();
    dropping.run();
  }

  private void free() {
    budget.free(half);
    budget.whole(this);
    half = 0;
  }

  /**
   * The half request is whole, with so many bytes.
   *
   * @return what it takes until it is {@link #answered}
   */
  long whole(int bytes) {
    long kept = Math.min(half, counted(bytes));
    half -= kept;
    free();
    whole += kept;
    return kept;
  }

  /** A request that took so much is answered. */
  void answered(long taken) {
    whole -= taken;
    budget.free(taken);
  }

  /** The connection is gone. */
  void release() {
    free();
    budget.free(whole);
    whole = 0;
  }
}

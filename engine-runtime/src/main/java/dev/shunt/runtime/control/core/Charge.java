package dev.shunt.runtime.control.core;

import java.util.function.LongSupplier;

/** What one connection's requests take of the {@link HeapBudget}. */
final class Charge implements HeapBudget.Holder, FramePart.Room {
  private final HeapBudget budget;
  private final Object place;
  private final LongSupplier since;
  private final Runnable dropping;
  private long half;
  private long whole;
  private long unsent;
  private long now;

  /**
   * Nothing taken.
   *
   * @param place where the connection comes from
   * @param since when the half request last moved
   * @param dropping drops the half request
   */
  Charge(HeapBudget budget, Object place, LongSupplier since, Runnable dropping) {
    this.budget = budget;
    this.place = place;
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
  public Object place() {
    return place;
  }

  @Override
  public long half() {
    return half;
  }

  @Override
  public long all() {
    return half + whole;
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

  /** So many bytes of answers are not sent yet. */
  void unsent(long bytes) {
    budget.unsent(bytes - unsent);
    unsent = bytes;
  }

  /** Whether nobody is to be answered more who has much unread. */
  boolean isFullOfAnswers() {
    return budget.isFullOfAnswers();
  }

  /** The connection is gone. */
  void release() {
    unsent(0);
    free();
    budget.free(whole);
    whole = 0;
  }
}

package dev.shunt.runtime.sim;

import dev.shunt.api.spi.RailLoss;

/** What a rail of a process went through, reckoned beside the policy, from what it was told. */
final class RailLog {
  /** The shortest delay that there is in a story. */
  static final long DELAY = 300 * Cluster.MILLI;

  private boolean out;
  private long outAt;
  private boolean linkLost;
  private boolean byHand;
  private boolean passed;
  private boolean used;
  private long from;

  boolean out() {
    return out;
  }

  /** Whether it was out of use, came back, and carried nothing since: true once. */
  boolean firstUse() {
    boolean first = used;
    used = false;
    return first;
  }

  /** For how long it has been out of use. */
  long outFor(long now) {
    return out ? now - outAt : 0;
  }

  void lost(RailLoss loss, long now) {
    linkLost |= loss == RailLoss.LINK;
    passed = false;
    if (loss == RailLoss.LINK || !out) {
      // Another error while it waits moves nothing: a check finds what is wrong.
      from = now;
    }
  }

  void returned(long now) {
    if (linkLost) {
      linkLost = false;
      from = now;
    }
  }

  void deactivated(long now) {
    out = true;
    outAt = now;
    passed = false;
    byHand = false;
    from = Math.max(from, now);
  }

  void restored() {
    byHand = true;
  }

  void checked(boolean well) {
    passed = well;
  }

  /**
   * It is to be used again.
   *
   * @return what is wrong with that; empty if nothing is
   */
  String activated(long now) {
    out = false;
    used = true;
    var wrong = "";
    if (!passed) {
      wrong = "before it passed a check";
    } else if (linkLost && !byHand) {
      wrong = "without its link";
    } else if (now - from < DELAY && !byHand) {
      wrong = (now - from) / Cluster.MILLI + " ms after it was lost, or its link was back";
    }
    passed = false;
    return wrong;
  }
}

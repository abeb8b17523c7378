package dev.shunt.transport.rdma;

import dev.shunt.transport.rdma.verbs.VerbsCq;

/** A lane's completion queue on one rail, and how much of its room is promised. */
final class LaneQueue {
  private final RdmaRail rail;
  private final VerbsCq cq;
  private int posted;
  private int polled;
  private boolean broken;
  private boolean gone;

  LaneQueue(RdmaRail rail, VerbsCq cq) {
    this.rail = rail;
    this.cq = cq;
  }

  RdmaRail rail() {
    return rail;
  }

  VerbsCq cq() {
    return cq;
  }

  /** How many more completions it would hold: one too many would break it for everybody. */
  int room() {
    return gone ? 0 : cq.depth() - posted;
  }

  int posted() {
    return gone ? 0 : posted;
  }

  /** It is never looked at again, and may be destroyed. */
  void letGo() {
    gone = true;
    polled = 0;
  }

  void promise() {
    posted++;
  }

  void fulfil() {
    posted--;
  }

  /** Looks without handling: what it finds waits for {@link #take}. */
  boolean peek() {
    if (polled == 0 && posted > 0 && !broken && !gone) {
      polled = cq.poll();
    }
    return polled != 0;
  }

  /**
   * Takes completions; the answer is the queue's, see {@link VerbsCq#poll}. One that is broken says
   * so once, and then has nothing any more.
   */
  int take() {
    peek();
    int taken = polled;
    polled = 0;
    broken |= taken < 0;
    return taken;
  }
}

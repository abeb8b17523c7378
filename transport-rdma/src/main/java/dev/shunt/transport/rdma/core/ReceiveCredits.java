package dev.shunt.transport.rdma.core;

/**
 * How many receives are posted on a QP, and whether there should be more. It begins with few, and
 * doubles when at least half of them were used up between two looks: the sender is faster than we
 * are, and would soon be told to wait.
 */
public final class ReceiveCredits {
  private final int bound;
  private int slots;
  private int posted;
  private int used;
  private boolean growing;

  /** None yet, and so many at most. */
  public ReceiveCredits(int bound) {
    this.bound = bound;
  }

  /** How many receives there are, posted or not. */
  public int slots() {
    return slots;
  }

  /** How many are posted. */
  public int posted() {
    return posted;
  }

  /** So many more there are, posted or not yet. */
  public void added(int more) {
    slots += more;
    growing = false;
  }

  /** There will not be more. */
  public void full() {
    growing = true;
  }

  /** One was posted. */
  public void post() {
    posted++;
  }

  /** One came back, with a message or flushed. */
  public void back(boolean message) {
    posted--;
    used += message ? 1 : 0;
  }

  /**
   * After each look at what came back: how many to add now, or 0. Asked for once, until {@link
   * #added}.
   */
  public int growth() {
    boolean busy = 2 * used >= slots && used > 0;
    used = 0;
    if (!busy || growing || slots >= bound) {
      return 0;
    }
    growing = true;
    return Math.min(slots, bound - slots);
  }
}

package dev.shunt.transport.rdma.core;

/**
 * How a lane waits for completions that only a look can find. It looks without a pause for a short
 * time, unless that was in vain several times in a row; and then sleeps an eighth of the time that
 * it has waited. So what comes soon is found at once, what comes late is found at most an eighth
 * later, and a wait of a second costs no thousand looks. Times are nanoseconds.
 */
public final class IdlePace {
  /** Looks in vain after which the next ones are left out. */
  private static final int PATIENCE = 8;

  /** Waits without a look after which one is made all the same: things may have changed. */
  private static final int LEFT_OUT = 32;

  private static final int SHARE = 8;

  private final long spin;
  private final long least;
  private final long most;
  private long since;
  private boolean waiting;
  private boolean spun;
  private int vain;

  /**
   * Nothing is waited for yet.
   *
   * @param spin how long to look without a pause
   * @param least the shortest sleep
   * @param most the longest
   */
  public IdlePace(long spin, long least, long most) {
    this.spin = spin;
    this.least = least;
    this.most = most;
  }

  /** Something was found, or nothing is under way: the next wait is a new one. */
  public void moved() {
    waiting = false;
  }

  /** Nothing was found, and something is under way. */
  public void idle(long now) {
    if (!waiting) {
      waiting = true;
      spun = false;
      since = now;
    }
  }

  /** How long to look without a pause now; 0 if not at all. Once in a wait. */
  public long spin() {
    if (!waiting || spun) {
      return 0;
    }
    spun = true;
    if (vain >= PATIENCE && vain < PATIENCE + LEFT_OUT) {
      vain++;
      return 0;
    }
    if (vain >= PATIENCE + LEFT_OUT) {
      vain = PATIENCE - 1;
    }
    return spin;
  }

  /** What became of looking. */
  public void spun(boolean found) {
    vain = found ? 0 : vain + 1;
  }

  /** How long to sleep now. */
  public long sleep(long now) {
    return Math.clamp(waiting ? (now - since) / SHARE : 0, least, most);
  }
}

package dev.shunt.transport.rdma.core;

/**
 * What a rail is, as its device tells: whether its link is there, whether it erred, whether its
 * context is of any use, and how much it holds that does not drain. It carries data while its link
 * is there and nothing is wrong.
 *
 * <pre>
 * link:     there  -- down -->  gone  -- up -->  there
 * errors:   none   -- erred, lost, broken -->  some   -- passed -->  none
 * context:  good   -- lost, broken -->  lost   -- renewed -->  good
 * </pre>
 *
 * <p>The link comes back by itself. An error ends with a check that passed, and a context that is
 * lost is made anew before that. What is broken waits for an operator; that is the policy's to see
 * to, and shows here only so that it is told once.
 *
 * <p>Each step answers whether it is news.
 */
public final class RailLife {
  private final int quarantineBound;
  private boolean linked = true;
  private boolean erred;
  private boolean lost;
  private boolean broken;
  private int quarantined;

  /**
   * An active rail.
   *
   * @param quarantineBound how many endpoints may be in quarantine before the rail is given up
   */
  public RailLife(int quarantineBound) {
    this.quarantineBound = quarantineBound;
  }

  /** Whether it carries data. */
  public boolean active() {
    return linked && !erred;
  }

  /** Whether its link is there, as far as known. */
  public boolean linked() {
    return linked;
  }

  /** Whether it erred, and has not passed a check since. */
  public boolean erred() {
    return erred;
  }

  /** Whether its context is of no use any more. */
  public boolean lost() {
    return lost;
  }

  /** How many of its endpoints are in quarantine. */
  public int quarantined() {
    return quarantined;
  }

  /** Its port went down. */
  public boolean down() {
    boolean was = linked;
    linked = false;
    return was;
  }

  /** Its port came up. */
  public boolean up() {
    boolean was = linked;
    linked = true;
    return !was;
  }

  /** Something of it failed, and its context is still of use. */
  public boolean fail() {
    boolean was = erred;
    erred = true;
    return !was;
  }

  /** Its context is of no use any more. */
  public boolean lose() {
    boolean was = lost;
    lost = true;
    erred = true;
    return !was;
  }

  /** It is beyond what repairs itself. */
  public boolean breakDown() {
    boolean was = broken;
    broken = true;
    erred = true;
    return !was;
  }

  /** It has another context. It is not used before {@link #pass}. */
  public void renewed() {
    lost = false;
    erred = true;
  }

  /** A check found nothing wrong. */
  public void pass() {
    if (lost) {
      throw new IllegalStateException("a context that is lost passes no check");
    }
    erred = false;
    broken = false;
  }

  /** One more endpoint does not drain. Answers whether that is one too many. */
  public boolean quarantine() {
    quarantined++;
    return quarantined > quarantineBound;
  }

  /** One of them drained after all. */
  public void released() {
    quarantined--;
  }
}

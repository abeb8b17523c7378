package dev.shunt.transport.rdma.core;

/**
 * Whether a rail carries anything, and how much it holds that does not drain. A device that is
 * broken stays so: nothing less than a new process makes its context anew.
 */
public final class RailLife {
  private final int quarantineBound;
  private boolean active = true;
  private boolean forGood;
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
    return active;
  }

  /** How many of its endpoints are in quarantine. */
  public int quarantined() {
    return quarantined;
  }

  /** Its port went down. Answers whether that is news. */
  public boolean down() {
    boolean was = active;
    active = false;
    return was;
  }

  /** It is broken for good. Answers whether it was active until now. */
  public boolean broken() {
    forGood = true;
    return down();
  }

  /** Its port came up. Answers whether it is active again by that. */
  public boolean up() {
    if (active || forGood) {
      return false;
    }
    active = true;
    return true;
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

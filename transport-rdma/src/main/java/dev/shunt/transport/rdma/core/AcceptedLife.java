package dev.shunt.transport.rdma.core;

import java.util.function.Consumer;

/**
 * The life of our half of a connection that a peer asked for.
 *
 * <pre>
 * CONNECTING -> AWAITED -> CONNECTED -> GONE
 *       \__________________/^
 * </pre>
 *
 * <p>In AWAITED its QPs are connected, and the peer is to say that its own are; what it does not
 * say in time it never will. It is GONE from each of them; while a call that may block has its QPs
 * in hand it is doomed first, and GONE when they are let go of.
 *
 * <p>Each step answers whether it was taken; one that does not fit changes nothing.
 */
public final class AcceptedLife {
  private final Consumer<State> changes;
  private State state = State.CONNECTING;
  private boolean doomed;

  /** One whose QPs are made, and of whose changes nobody hears. */
  public AcceptedLife() {
    this(state -> {});
  }

  /**
   * One whose QPs are made.
   *
   * @param changes hears of each state that it comes to
   */
  public AcceptedLife(Consumer<State> changes) {
    this.changes = changes;
  }

  /** What it is. */
  public State state() {
    return state;
  }

  /** Whether its QPs are connected, and it is not to go. */
  public boolean usable() {
    return !doomed && (state == State.AWAITED || state == State.CONNECTED);
  }

  /** Whether it goes as soon as it can. */
  public boolean doomed() {
    return doomed;
  }

  /**
   * Its QPs are connected.
   *
   * @param awaited whether the peer will say that its own are
   */
  public boolean connected(boolean awaited) {
    if (state != State.CONNECTING || doomed) {
      return false;
    }
    move(awaited ? State.AWAITED : State.CONNECTED);
    return true;
  }

  /** The peer says that its QPs are connected; it may say so again. */
  public boolean ready() {
    if (!usable()) {
      return false;
    }
    if (state != State.CONNECTED) {
      move(State.CONNECTED);
    }
    return true;
  }

  /** It is to go. */
  public void doom() {
    doomed = true;
  }

  /** Its QPs are gone, or kept aside for good. */
  public boolean gone() {
    if (state == State.GONE) {
      return false;
    }
    move(State.GONE);
    return true;
  }

  private void move(State to) {
    state = to;
    changes.accept(to);
  }

  /** What it is. */
  public enum State {
    /** Its QPs are being connected. */
    CONNECTING,
    /** Its QPs are connected; the peer's may not be. */
    AWAITED,
    /** Both sides' are. */
    CONNECTED,
    /** It is over. */
    GONE
  }
}

package dev.shunt.transport.rdma.core;

import java.util.function.Consumer;

/**
 * The life of an endpoint: a set of QPs that belong to one link.
 *
 * <pre>
 * INITIALIZING -> CONNECTING -> CONNECTED -> DRAINING -> DESTROYED
 *        \____________\__________________________________/^
 *                                 DRAINING -> QUARANTINED -> DESTROYED
 * </pre>
 *
 * <p>Before the first connection a failure destroys it at once: nothing was posted. Afterwards it
 * goes through DRAINING: its QPs are in ERR, and what was posted comes back flushed. What has not
 * drained in time is quarantined: kept and counted, never freed by force, since the device may
 * still write into memory that it was lent. It leaves the quarantine if it drains after all.
 *
 * <p>Each step answers whether it was taken; one that does not fit changes nothing.
 */
public final class EndpointLife {
  private final Consumer<State> changes;
  private State state = State.INITIALIZING;

  /** A new one, whose changes nobody hears of. */
  public EndpointLife() {
    this(state -> {});
  }

  /**
   * A new one.
   *
   * @param changes hears of each state that it comes to
   */
  public EndpointLife(Consumer<State> changes) {
    this.changes = changes;
  }

  /** What it is. */
  public State state() {
    return state;
  }

  /** Its QPs are made; the peer was asked, or is being answered. */
  public boolean connecting() {
    return move(State.INITIALIZING, State.CONNECTING);
  }

  /** Its QPs are in RTS. */
  public boolean connected() {
    return move(State.CONNECTING, State.CONNECTED);
  }

  /** The handshake came to nothing. */
  public boolean failed() {
    return move(State.INITIALIZING, State.DESTROYED) || move(State.CONNECTING, State.DESTROYED);
  }

  /** It is to end: no new work, and its QPs go to ERR. */
  public boolean drain() {
    return move(State.CONNECTED, State.DRAINING);
  }

  /** All that was posted has come back. */
  public boolean drained() {
    return move(State.DRAINING, State.DESTROYED) || move(State.QUARANTINED, State.DESTROYED);
  }

  /** Its time to drain is over. */
  public boolean overdue() {
    return move(State.DRAINING, State.QUARANTINED);
  }

  private boolean move(State from, State to) {
    if (state != from) {
      return false;
    }
    state = to;
    changes.accept(to);
    return true;
  }

  /** What an endpoint is. */
  public enum State {
    /** Its QPs are being made. */
    INITIALIZING,
    /** The handshake is under way. */
    CONNECTING,
    /** It carries data. */
    CONNECTED,
    /** It waits for what was posted. */
    DRAINING,
    /** It waited too long, and is kept. */
    QUARANTINED,
    /** Its QPs are gone, or go. */
    DESTROYED
  }
}

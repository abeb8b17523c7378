package dev.shunt.runtime.transfer.core;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import java.util.Arrays;

/** A path of a flow, with its channel if it has one, and what is posted there, oldest first. */
public final class PathSlot {
  /** What it is at. */
  public enum State {
    /** No channel. */
    IDLE,
    /** A channel was asked for. */
    CONNECTING,
    /** There is a channel. */
    UP,
    /** The channel drains what it holds, and takes nothing. */
    RETIRING
  }

  private static final int FENCED_REMEMBERED = 32;

  final int localRail;
  final int remoteRail;
  State state = State.IDLE;
  Channel channel;
  LinkId link;
  long notBefore;
  long connectBy;
  long pausedUntil;
  boolean inactive;
  boolean remoteInactive;
  int localFaults;
  Fault localFault;
  long retiringSince;

  /** Why its channel is being retired; null while it is not. */
  RetireReason retired;

  boolean quarantined;
  boolean proven;
  boolean unflushed;
  int failures;
  Fault lastFault;
  int posted;

  /** Bytes of what is posted. */
  long postedBytes;

  /** Bytes of slices that went well by it. */
  long carried;

  PooledSlice oldest;
  PooledSlice newest;
  private long[] fenced;
  private int fencedCount;

  PathSlot(int localRail, int remoteRail) {
    this.localRail = localRail;
    this.remoteRail = remoteRail;
  }

  /** Our rail. */
  public int localRail() {
    return localRail;
  }

  /** The remote's rail. */
  public int remoteRail() {
    return remoteRail;
  }

  /** What it is at. */
  public State state() {
    return state;
  }

  /** What went wrong last, as a text; empty if nothing did. */
  public String lastFaultText() {
    var fault = lastFault;
    return fault == null ? "" : fault.code() + ": " + fault.text();
  }

  /** Whether the steward lets it rest. */
  public boolean restsAt(long now) {
    return paused(now);
  }

  /** How long it does, in nanoseconds; a time in the past if it does not. */
  public long pausedUntil() {
    return pausedUntil;
  }

  /** How many bytes of slices went well by it. */
  public long carried() {
    return carried;
  }

  boolean paused(long now) {
    return pausedUntil - now > 0;
  }

  /** Whether one of its ends is out of use: nothing new goes by it. */
  boolean unused() {
    return inactive || remoteInactive;
  }

  boolean ready() {
    return state == State.UP && !unused() && channel.room() > 0;
  }

  /**
   * Whether it has its share of the window: one that stands still must leave the others room to go
   * on, until somebody notices.
   */
  boolean full(FlowLimits limits, int sharers) {
    return sharers > 1
        && (postedBytes >= 2 * limits.windowBytes() / (sharers + 1)
            || posted >= Math.max(1, 2 * limits.windowSlices() / (sharers + 1)));
  }

  /** Whether it may have a channel soon. */
  boolean promising(long now) {
    return !unused()
        && !paused(now)
        && (state == State.CONNECTING || (state == State.IDLE && notBefore - now <= 0));
  }

  /** Posts a slice that the window has room for; only while {@link #ready}. */
  void post(PooledSlice slice, long now) {
    var request = slice.request;
    slice.slot = this;
    slice.attempts++;
    slice.postedAt = now;
    slice.localKey = request.localKeys[localRail];
    slice.remoteKey = remoteRail < request.remoteKeys.length ? request.remoteKeys[remoteRail] : 0;
    slice.state = PooledSlice.State.POSTED;
    request.posted = true;
    if (request.attempts++ == 0) {
      request.firstPostedAt = now;
    }
    append(slice);
    unflushed = true;
    channel.post(slice, now);
  }

  private void append(PooledSlice slice) {
    slice.previousOnSlot = newest;
    slice.nextOnSlot = null;
    if (newest == null) {
      oldest = slice;
    } else {
      newest.nextOnSlot = slice;
    }
    newest = slice;
    posted++;
    postedBytes += slice.length;
  }

  void remove(PooledSlice slice) {
    if (slice.previousOnSlot == null) {
      oldest = slice.nextOnSlot;
    } else {
      slice.previousOnSlot.nextOnSlot = slice.nextOnSlot;
    }
    if (slice.nextOnSlot == null) {
      newest = slice.previousOnSlot;
    } else {
      slice.nextOnSlot.previousOnSlot = slice.previousOnSlot;
    }
    slice.nextOnSlot = null;
    slice.previousOnSlot = null;
    posted--;
    postedBytes -= slice.length;
  }

  void up(Channel channel) {
    this.channel = channel;
    this.link = channel.link().id();
    state = State.UP;
    notBefore = 0;
    failures = 0;
    proven = false;
    retired = null;
    unflushed = false;
    quarantined = false;
    fencedCount = 0;
  }

  /** The same path without its channel, which was given up and keeps this slot. */
  PathSlot successor() {
    var next = new PathSlot(localRail, remoteRail);
    next.pausedUntil = pausedUntil;
    next.inactive = inactive;
    next.remoteInactive = remoteInactive;
    next.failures = failures;
    next.lastFault = lastFault;
    next.carried = carried;
    return next;
  }

  void idle(long notBefore) {
    state = State.IDLE;
    channel = null;
    link = null;
    this.notBefore = notBefore;
  }

  /**
   * Whether this channel already carries the fence of a link. Forgetting one costs a second frame.
   */
  boolean hasFenced(LinkId stale) {
    var known = Math.min(fencedCount, FENCED_REMEMBERED);
    for (int i = 0; i < known; i++) {
      if (fenced[i] == stale.attempt()) {
        return true;
      }
    }
    return false;
  }

  void rememberFenced(LinkId stale) {
    if (fenced == null) {
      fenced = new long[FENCED_REMEMBERED];
    }
    fenced[fencedCount % FENCED_REMEMBERED] = stale.attempt();
    fencedCount++;
  }

  /** Our rail went, whatever it looked like from its channel: the next one of ours is to do it. */
  static Fault ours(Fault fault) {
    return fault.blame() == Fault.Blame.LOCAL
        ? fault
        : new Fault(
            Fault.Blame.LOCAL, fault.code(), fault.effect(), fault.text(), fault.vendorCode());
  }

  @Override
  public String toString() {
    return "path "
        + localRail
        + "->"
        + remoteRail
        + " "
        + state
        + " posted "
        + posted
        + (fencedCount > 0 ? " fenced " + Arrays.toString(fenced) : "");
  }
}

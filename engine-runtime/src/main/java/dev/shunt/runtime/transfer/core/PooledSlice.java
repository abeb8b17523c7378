package dev.shunt.runtime.transfer.core;

import dev.shunt.api.Failure;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Slice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;

/**
 * A slice of the lane's pool. What a failure adds (history, stale links) is allocated only then.
 */
public final class PooledSlice implements Slice {
  /** Where it is. */
  enum State {
    /** In the pool. */
    FREE,
    /** Cut, or failed: waits to be posted. */
    WAITING,
    /** On a channel, for a request that has not ended. */
    POSTED,
    /** Failed: waits for a decision. */
    FAILED,
    /** Redone well; its old attempt is not fenced yet. */
    HELD,
    /** On a channel, for a request that has ended. */
    DRAINING,
    /** On a channel that was given up. */
    QUARANTINED
  }

  /** No rail in particular. */
  static final int ANY = -1;

  State state = State.FREE;
  Flow flow;
  Part part;
  int use;
  RequestState request;
  PathSlot slot;
  PooledSlice nextOfRequest;
  PooledSlice previousOfRequest;
  PooledSlice nextOnSlot;
  PooledSlice previousOnSlot;
  long offset;
  long length;
  long remoteAddress;
  RegionKey localKey;
  long remoteKey;
  long postedAt;
  long notBefore;
  long failedAt;
  int attempts;
  int onlyRemoteRail = ANY;
  int notLocalRail = ANY;
  int notRemoteRail = ANY;
  Fault fault;

  /** It is on no channel, its request has ended, and its bytes may still land. */
  boolean lingers;

  ArrayList<Failure.Attempt> history;
  ArrayList<StaleLink> stale;

  PooledSlice() {}

  /** The flow that it belongs to. */
  public Flow flow() {
    return flow;
  }

  /** The hands of that flow; for a report, which must be of the use that the slice is of. */
  public FlowPort port() {
    check();
    return flow.port();
  }

  @Override
  public boolean write() {
    return request.write;
  }

  @Override
  public MemorySegment memory() {
    return request.memory;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public RegionKey localKey() {
    return localKey;
  }

  @Override
  public long remoteAddress() {
    return remoteAddress;
  }

  @Override
  public long remoteKey() {
    return remoteKey;
  }

  @Override
  public long deadline() {
    return part.deadline;
  }

  /** Whether it is on a channel, or an attempt of it may have been applied. */
  boolean mayHaveEffect() {
    return switch (state) {
      case POSTED, HELD, DRAINING, QUARANTINED -> true;
      case FREE, WAITING, FAILED ->
          stale != null || (fault != null && fault.effect() == Fault.Effect.POSSIBLE);
    };
  }

  /** A part that was used again while a slice of it was out would end requests of another batch. */
  void check() {
    if (part == null || part.use != use) {
      throw new IllegalStateException(
          part == null
              ? "a slice was reported that nobody posted"
              : "a slice was reported for use " + use + " of a part that is at use " + part.use);
    }
  }

  void clear() {
    state = State.FREE;
    flow = null;
    part = null;
    request = null;
    slot = null;
    localKey = null;
    attempts = 0;
    notBefore = 0;
    onlyRemoteRail = ANY;
    notLocalRail = ANY;
    notRemoteRail = ANY;
    fault = null;
    lingers = false;
    history = null;
    if (stale != null) {
      StaleLinks.leave(stale);
      stale = null;
    }
  }
}

package dev.shunt.runtime.transfer;

import dev.shunt.api.Failure;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.runtime.transfer.core.FlowLimits;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A remote by one transport: what a lane needs to make a flow of it. One for a remote's generation.
 */
public final class LaneRoute {
  private final Remote remote;
  private final List<RemoteRail> rails;
  private final FlowLimits limits;
  private final int queue;
  private final Semaphore room;
  private final AtomicLong inFlightBytes = new AtomicLong();
  private final AtomicLong queuedRequests = new AtomicLong();
  private final Standing standing = new Standing();
  private volatile Detour detour = Detour.NONE;
  private final AtomicInteger channels = new AtomicInteger();
  private volatile Failure stale;

  /**
   * A route without traffic.
   *
   * @param queue how many requests may wait or be under way at once
   */
  public LaneRoute(Remote remote, List<RemoteRail> rails, FlowLimits limits, int queue) {
    this.remote = remote;
    this.rails = List.copyOf(rails);
    this.limits = limits;
    this.queue = queue;
    this.room = new Semaphore(queue);
  }

  /** To whom. */
  public Remote remote() {
    return remote;
  }

  /** The remote's rails for this transport. */
  public List<RemoteRail> rails() {
    return rails;
  }

  /** The flow's numbers. */
  public FlowLimits limits() {
    return limits;
  }

  /** How many requests may wait or be under way at once. */
  public int queue() {
    return queue;
  }

  /** Room for requests: taken by callers, given back by the lane. */
  public Semaphore room() {
    return room;
  }

  /** Whether new requests go by it. */
  public Standing standing() {
    return standing;
  }

  /** The other ways to the remote. */
  public Detour detour() {
    return detour;
  }

  /** Says which other ways there are to the remote. */
  public void detour(Detour others) {
    detour = others;
  }

  /** Set once the remote is not the same any more; null before. */
  public Failure stale() {
    return stale;
  }

  /** The remote is not the same any more. */
  public void stale(Failure failure) {
    stale = failure;
  }

  /** Bytes in flight, as the lane told last. */
  public AtomicLong inFlightBytes() {
    return inFlightBytes;
  }

  /** Channels that are there. */
  public AtomicInteger channels() {
    return channels;
  }

  /** Requests that have not ended. */
  public AtomicLong queuedRequests() {
    return queuedRequests;
  }
}

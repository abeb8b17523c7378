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
  private volatile Rails rails;
  private final FlowLimits limits;
  private final int queue;
  private final Semaphore room;
  private final AtomicLong inFlightBytes = new AtomicLong();
  private final AtomicLong queuedRequests = new AtomicLong();
  private final Standing standing = new Standing();
  private volatile Detour detour = Detour.NONE;
  private final AtomicInteger channels = new AtomicInteger();
  private volatile Failure stale;

  private record Rails(List<RemoteRail> all, List<Integer> inactive) {}

  /**
   * A route without traffic.
   *
   * @param queue how many requests may wait or be under way at once
   */
  public LaneRoute(Remote remote, List<RemoteRail> rails, FlowLimits limits, int queue) {
    this.remote = remote;
    this.rails = new Rails(List.copyOf(rails), List.of());
    this.limits = limits;
    this.queue = queue;
    this.room = new Semaphore(queue);
  }

  /** To whom. */
  public Remote remote() {
    return remote;
  }

  /** The remote's rails for this transport: always as many, in the same places. */
  public List<RemoteRail> rails() {
    return rails.all;
  }

  /** Whether the remote says that it does not use one of its rails. */
  public boolean remoteInactive(int rail) {
    return rails.inactive.contains(rail);
  }

  /**
   * What the remote tells of its rails is another by now; lanes are told by {@link Lane#renewed}.
   *
   * @param inactive places of those that the remote does not use
   * @return whether anything is new; rails that do not pair with those that it had are left alone
   */
  public boolean renew(List<RemoteRail> latest, List<Integer> inactive) {
    var next = new Rails(List.copyOf(latest), List.copyOf(inactive));
    if (next.equals(rails) || !pairs(latest)) {
      return false;
    }
    rails = next;
    return true;
  }

  /** Keys pair with rails by place, so a rail never becomes another one. */
  private boolean pairs(List<RemoteRail> latest) {
    var known = rails.all;
    for (int i = 0; i < known.size(); i++) {
      if (i >= latest.size() || !known.get(i).name().equals(latest.get(i).name())) {
        return false;
      }
    }
    return latest.size() == known.size();
  }

  /**
   * For each of the remote's rails where it is, by what they tell now: the first that tells the
   * same of itself, if any.
   */
  int[] places() {
    var all = rails.all;
    var places = new int[all.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = i;
      var told = all.get(i).attributes();
      for (int j = i - 1; j >= 0 && !told.isEmpty(); j--) {
        if (all.get(j).attributes().equals(told)) {
          places[i] = j;
        }
      }
    }
    return places;
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

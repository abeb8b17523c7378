package dev.shunt.transport.rdma;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How many endpoints of ours each rail has. Who finds no room waits until one that was idle has
 * been evicted; where none is idle, and none ends, it is refused. The supervisor's.
 */
final class Room {
  private static final int MOST_WAITING = 4096;

  private final int most;
  private final Predicate<RdmaRail> draining;
  private final Map<RdmaRail, Place> places = new HashMap<>();

  /** Who wants to have an endpoint. */
  interface Guest {
    /** Its place is taken. */
    void enter();

    /** There is none to be had. */
    void refuse();

    /**
     * Has an idle endpoint of the rail evicted, or tells {@link Room#noneIdle} that there is none.
     */
    void evict();
  }

  private static final class Place {
    private final ArrayDeque<Guest> waiting = new ArrayDeque<>();
    private int taken;
  }

  /**
   * None has any yet.
   *
   * @param draining whether any of a rail ends by itself
   */
  Room(int most, Predicate<RdmaRail> draining) {
    this.most = most;
    this.draining = draining;
  }

  /** Enters now, or later; or is refused. */
  void ask(RdmaRail rail, Guest guest) {
    var place = places.computeIfAbsent(rail, r -> new Place());
    if (place.taken < most) {
      place.taken++;
      guest.enter();
    } else if (place.waiting.size() == MOST_WAITING) {
      guest.refuse();
    } else {
      place.waiting.add(guest);
      guest.evict();
    }
  }

  /** It does not wait any more. */
  void forget(RdmaRail rail, Guest guest) {
    places.get(rail).waiting.remove(guest);
  }

  /** No endpoint of the rail is idle. */
  void noneIdle(RdmaRail rail, Guest guest) {
    if (!draining.test(rail) && places.get(rail).waiting.remove(guest)) {
      guest.refuse();
    }
  }

  /** An endpoint is gone. */
  void left(RdmaRail rail) {
    var place = places.get(rail);
    var next = place.waiting.poll();
    if (next == null) {
      place.taken--;
    } else {
      next.enter();
    }
  }
}

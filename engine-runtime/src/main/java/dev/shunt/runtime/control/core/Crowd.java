package dev.shunt.runtime.control.core;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The connections from peers, and which of them goes when there is no room for one more: the one
 * that is least worth keeping, and not who comes. In turn:
 *
 * <ol>
 *   <li>one that has stood still for a second before its first request,
 *   <li>where those that never made a request have more than a quarter of the room: one of them, of
 *       the place that has most of them,
 *   <li>of places that have more than their share of the room: one that stands still within a
 *       request, one that rests, one that is new, one that is busy,
 *   <li>of the other places: likewise, but none that is busy.
 * </ol>
 *
 * Of equals the one goes that stood still longest. So no crowd that asks for nothing costs a peer
 * its connection, from however many places it comes, nor another newcomer the time to ask; and
 * short of a quarter the new ones stay, so that a crowd that rests lets others come.
 *
 * @param <S> the connections
 */
public final class Crowd<S extends Crowd.Seat> {
  /** How long one may stand still until it counts as given up by its peer. Nanoseconds. */
  static final long STALE = 1_000_000_000L;

  /** One on which something moved so lately is not closed in favour of a new one. Nanoseconds. */
  static final long MOVING = 100_000_000L;

  private static final int NEW_PART = 4;

  /** From here on the ranks of those from places that have no more than their share. */
  private static final int OTHERS = 6;

  private static final int FLOOD = 1;

  private final int room;
  private final Map<S, Share> seats = new LinkedHashMap<>();
  private final Map<Object, Share> shares = new HashMap<>();
  private int unproven;

  /** A connection, as it is judged. */
  public interface Seat {
    /** Where it comes from; equal places share. */
    Object place();

    /** Whether it ever brought a whole request. */
    boolean proven();

    /** Whether something is under way on it: half a request, or an answer that is not sent. */
    boolean busy();

    /** Since when nothing moved on it; bytes of half a request count in good pieces only. */
    long since();
  }

  private static final class Share {
    private int count;

    /** Of those, as many never made a request. */
    private int unproven;
  }

  /** Empty. */
  public Crowd(int room) {
    this.room = room;
  }

  /**
   * One comes.
   *
   * @return who has to go, and is not taken out by that; it may be the new one
   */
  public Optional<S> add(S fresh, long now) {
    var share = shares.computeIfAbsent(fresh.place(), _ -> new Share());
    share.count++;
    seats.put(fresh, share);
    return seats.size() > room ? Optional.of(victim(fresh, share, now)) : Optional.empty();
  }

  /** One is gone. */
  public void remove(S seat) {
    var share = seats.remove(seat);
    if (share != null && --share.count == 0) {
      shares.remove(seat.place());
    }
  }

  /** How many there are. */
  public int size() {
    return seats.size();
  }

  /** All, the one that came first leading. */
  public List<S> all() {
    return List.copyOf(seats.keySet());
  }

  private S victim(S fresh, Share own, long now) {
    countUnproven();
    int fair = Math.max(1, room / shares.size());
    S chosen = null;
    Share of = null;
    int least = Integer.MAX_VALUE;
    for (var entry : seats.entrySet()) {
      var seat = entry.getKey();
      if (seat == fresh) {
        continue;
      }
      var share = entry.getValue();
      int worth = worth(seat, share.count > fair, now);
      if (chosen == null || worth < least || worth == least && goesFirst(seat, share, chosen, of)) {
        least = worth;
        chosen = seat;
        of = share;
      }
    }
    if (chosen == null) {
      return fresh;
    }
    var moving = chosen.proven() && chosen.busy() && now - chosen.since() < MOVING;
    var deserved = least < OTHERS && own.count <= fair;
    return moving && !deserved ? fresh : chosen;
  }

  private void countUnproven() {
    unproven = 0;
    shares.values().forEach(share -> share.unproven = 0);
    for (var entry : seats.entrySet()) {
      if (!entry.getKey().proven()) {
        unproven++;
        entry.getValue().unproven++;
      }
    }
  }

  /** Of two that are worth the same. */
  private boolean goesFirst(S seat, Share share, S other, Share others) {
    return isFlood() && !seat.proven() && share.unproven != others.unproven
        ? share.unproven > others.unproven
        : seat.since() - other.since() < 0;
  }

  private boolean isFlood() {
    return unproven > Math.max(1, room / NEW_PART);
  }

  private int worth(S seat, boolean greedy, long now) {
    boolean stale = now - seat.since() >= STALE;
    if (!seat.proven() && (stale || isFlood())) {
      return stale ? 0 : FLOOD;
    }
    int of = greedy ? FLOOD + 1 : OTHERS;
    if (!seat.proven()) {
      return of + 2;
    }
    return of + (!seat.busy() ? 1 : stale ? 0 : 3);
  }
}

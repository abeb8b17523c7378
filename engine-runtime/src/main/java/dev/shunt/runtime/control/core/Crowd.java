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
 *   <li>one that has stood still for a second before its first request, or within one,
 *   <li>of places that have more than their share of the room: one that rests, one that is new, one
 *       that is busy,
 *   <li>of the other places: one that rests, one that is new.
 * </ol>
 *
 * Of equals the one goes that stood still longest. Those that never made a request may take a
 * quarter of the room; beyond it they go before any that rests, so that a crowd of them costs no
 * peer its connection, and short of it they stay, so that a crowd that rests lets others come.
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
    unproven = 0;
    seats.keySet().forEach(seat -> unproven += seat.proven() ? 0 : 1);
    int fair = Math.max(1, room / shares.size());
    S chosen = null;
    int least = Integer.MAX_VALUE;
    for (var entry : seats.entrySet()) {
      var seat = entry.getKey();
      if (seat == fresh) {
        continue;
      }
      int worth = worth(seat, entry.getValue().count > fair, now);
      if (worth < least || worth == least && seat.since() - chosen.since() < 0) {
        least = worth;
        chosen = seat;
      }
    }
    if (chosen == null) {
      return fresh;
    }
    var moving = chosen.proven() && chosen.busy() && now - chosen.since() < MOVING;
    var deserved = least < OTHERS && own.count <= fair;
    return moving && !deserved ? fresh : chosen;
  }

  private int worth(S seat, boolean greedy, long now) {
    if ((!seat.proven() || seat.busy()) && now - seat.since() >= STALE) {
      return seat.proven() ? 1 : 0;
    }
    int of = greedy ? 2 : OTHERS;
    if (!seat.proven()) {
      return of + (unproven > Math.max(1, room / NEW_PART) ? 0 : 2);
    }
    return of + (seat.busy() ? 3 : 1);
  }
}

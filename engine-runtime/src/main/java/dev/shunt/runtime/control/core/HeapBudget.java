package dev.shunt.runtime.control.core;

import java.util.HashMap;
import java.util.LinkedHashSet;

/**
 * How many bytes lie on the heap, over all connections: of half requests, of whole ones that are
 * not answered, and of answers that are not sent. Where one more piece of a request does not fit, a
 * half one gives way: one that stood still for a second, and of those one from the place whose
 * requests take most; else the largest one of that place, which may be the one that asks. So what
 * is small comes through whatever large is sent, from however many connections, and what is given
 * up blocks nobody. Answers push nothing out: where they have too much, whoever leaves his unread
 * has to read before he may ask again. Payload that goes to registered memory does not come here.
 */
public final class HeapBudget {
  /** So much of each connection is not counted: most requests are smaller. */
  public static final int FREE = 16 << 10;

  private final long limit;
  private final LinkedHashSet<Holder> half = new LinkedHashSet<>();
  private long held;
  private long unsent;

  /** Who holds a half request. */
  interface Holder {
    /** Where it comes from; equal places share. */
    Object place();

    /** Bytes of the half request. */
    long half();

    /** Bytes of all its requests. */
    long all();

    /** When it last moved. */
    long since();

    /** Gives them back, by {@link #free}; the request is refused when its end has come. */
    void giveWay();
  }

  /** Nothing held yet. */
  public HeapBudget(long limit) {
    this.limit = limit;
  }

  /** How many bytes are held. */
  public long held() {
    return held;
  }

  /** How many there may be. */
  public long limit() {
    return limit;
  }

  /** Takes so many more for a half request; false if it is this one that has to give way. */
  boolean claim(Holder holder, long bytes, long now) {
    while (held + bytes > limit) {
      var victim = victim(holder, bytes, now);
      if (victim == holder) {
        return false;
      }
      victim.giveWay();
    }
    held += bytes;
    half.add(holder);
    return true;
  }

  /** Gives some back. */
  void free(long bytes) {
    held -= bytes;
  }

  /** It has no half request any more. */
  void whole(Holder holder) {
    half.remove(holder);
  }

  /** So many more, or less, bytes of answers wait to be sent. */
  void unsent(long more) {
    unsent += more;
  }

  /** Whether so many bytes of answers wait that nobody is to add to them who has some already. */
  boolean isFullOfAnswers() {
    return unsent > limit;
  }

  /** How many bytes of answers wait. */
  long unsent() {
    return unsent;
  }

  private Holder victim(Holder claiming, long bytes, long now) {
    var places = new HashMap<Object, Long>();
    half.forEach(each -> places.merge(each.place(), each.all(), Long::sum));
    places.merge(
        claiming.place(), half.contains(claiming) ? bytes : claiming.all() + bytes, Long::sum);
    Holder stale = null;
    Holder largest = claiming;
    for (var each : half) {
      if (each == claiming) {
        continue;
      }
      long more = places.get(each.place());
      if (now - each.since() >= Crowd.STALE
          && (stale == null
              || isFirst(more, stale.since(), places.get(stale.place()), each.since()))) {
        stale = each;
      }
      long most = largest.half() + (largest == claiming ? bytes : 0);
      if (isFirst(more, each.half(), places.get(largest.place()), most)) {
        largest = each;
      }
    }
    return stale != null ? stale : largest;
  }

  /** By what the places have, and else by another measure. */
  private static boolean isFirst(long place, long measure, long otherPlace, long otherMeasure) {
    return place != otherPlace ? place > otherPlace : measure - otherMeasure > 0;
  }
}

package dev.shunt.runtime.control.core;

import java.util.LinkedHashSet;

/**
 * How many bytes of requests lie on the heap, over all connections: half ones, and whole ones that
 * are not answered. Where one more piece does not fit, a half request gives way: one that stood
 * still for a second, the longest first; else the largest, which may be the one that asks. So what
 * is small comes through whatever large is sent, and what is given up blocks nobody. Payload that
 * goes to registered memory does not come here.
 */
public final class HeapBudget {
  /** So much of each connection is not counted: most requests are smaller. */
  public static final int FREE = 16 << 10;

  private final long limit;
  private final LinkedHashSet<Holder> half = new LinkedHashSet<>();
  private long held;

  /** Who holds a half request. */
  interface Holder {
    /** Bytes of the half request. */
    long half();

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

  private Holder victim(Holder claiming, long bytes, long now) {
    Holder stale = null;
    Holder largest = claiming;
    long most = claiming.half() + bytes;
    for (var each : half) {
      if (each == claiming) {
        continue;
      }
      if (now - each.since() >= Crowd.STALE
          && (stale == null || each.since() - stale.since() < 0)) {
        stale = each;
      }
      if (each.half() > most) {
        largest = each;
        most = each.half();
      }
    }
    return stale != null ? stale : largest;
  }
}

package dev.shunt.runtime.control.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Who is to be told that this node's descriptor changed, by address. Each is told of the latest
 * change only; one that cannot be told is tried again a few times, after the others, and then
 * forgotten, and so is one that has not asked for long. Times are monotonic nanoseconds.
 */
public final class Subscribers {
  private static final int TRIES = 3;
  private static final long PAUSE = 1_000_000_000L;

  private final int most;
  private final int window;
  private final long maxAge;
  private final LinkedHashMap<String, Subscriber> all = new LinkedHashMap<>();
  private int telling;

  private static final class Subscriber {
    private final String address;
    private long asked;
    private boolean due;
    private boolean telling;
    private int failures;
    private long from;

    Subscriber(String address) {
      this.address = address;
    }
  }

  /**
   * Nobody yet.
   *
   * @param most how many are remembered; for one more the one that has not asked longest goes
   * @param window how many are told at a time
   * @param maxAge after how long one that does not ask again is forgotten
   */
  public Subscribers(int most, int window, long maxAge) {
    this.most = most;
    this.window = window;
    this.maxAge = maxAge;
  }

  /** Somebody asks to be told, maybe not for the first time. */
  public void subscribe(String address, long now) {
    var known = all.remove(address);
    var subscriber = known == null ? new Subscriber(address) : known;
    subscriber.asked = now;
    all.put(address, subscriber);
    if (all.size() > most) {
      all.pollFirstEntry();
    }
  }

  /** The descriptor changed: all are to be told. */
  public void changed(long now) {
    for (var each : all.values()) {
      each.due = true;
      each.failures = 0;
      each.from = now;
    }
  }

  /** Whom to tell now; for each of them {@link #told} follows. */
  public List<String> next(long now) {
    while (!all.isEmpty() && now - all.firstEntry().getValue().asked > maxAge) {
      all.pollFirstEntry();
    }
    var next = new ArrayList<String>();
    take(next, now, 0);
    take(next, now, TRIES);
    return next;
  }

  private void take(List<String> next, long now, int failures) {
    for (var each : all.values()) {
      if (telling >= window) {
        return;
      }
      if (each.due && !each.telling && each.failures <= failures && each.from - now <= 0) {
        each.due = false;
        each.telling = true;
        telling++;
        next.add(each.address);
      }
    }
  }

  /**
   * Somebody was told, or was not reached.
   *
   * @return whether it is forgotten with that
   */
  public boolean told(String address, boolean reached, long now) {
    telling--;
    var subscriber = all.get(address);
    if (subscriber == null || !subscriber.telling) {
      return false;
    }
    subscriber.telling = false;
    if (reached) {
      subscriber.failures = 0;
    } else if (++subscriber.failures >= TRIES) {
      all.remove(address);
      return true;
    } else {
      subscriber.due = true;
      subscriber.from = now + (PAUSE << subscriber.failures - 1);
    }
    return false;
  }

  /** When {@link #next} is to be asked, unless {@link #told} comes before. */
  public long deadline() {
    long first = Long.MAX_VALUE;
    for (var each : all.values()) {
      if (each.due && !each.telling && (first == Long.MAX_VALUE || each.from - first < 0)) {
        first = each.from;
      }
    }
    return telling >= window ? Long.MAX_VALUE : first;
  }

  /** All of them, the one that has not asked longest first. */
  public List<String> all() {
    return List.copyOf(all.keySet());
  }
}

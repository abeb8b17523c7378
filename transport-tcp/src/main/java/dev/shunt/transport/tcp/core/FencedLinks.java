package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.LinkId;
import java.util.LinkedHashMap;

/**
 * Which links were fenced, within bounds. Of each generation it remembers a number of attempts;
 * when there are more, the lowest becomes a floor, and everything up to the floor counts as fenced:
 * that refuses a slow newcomer at worst, which then asks again under a higher attempt. The
 * generation that was fenced least recently is forgotten when there are too many. That harms nobody
 * who keeps to the protocol: payload is sent only by a link that was welcomed, and those are known.
 */
public final class FencedLinks {
  private static final int GENERATIONS = 1024;
  private static final int ATTEMPTS = 64;

  private final LinkedHashMap<Long, Attempts> generations = new LinkedHashMap<>();

  /** Remembers a link. */
  public void add(LinkId link) {
    var attempts = generations.getOrDefault(link.generation(), new Attempts());
    attempts.add(link.attempt());
    generations.putLast(link.generation(), attempts);
    if (generations.size() > GENERATIONS) {
      generations.pollFirstEntry();
    }
  }

  /** Whether it was fenced. */
  public boolean contains(LinkId link) {
    var attempts = generations.get(link.generation());
    return attempts != null && attempts.contains(link.attempt());
  }

  /** How many generations are remembered. */
  int size() {
    return generations.size();
  }

  private static final class Attempts {
    private final long[] sorted = new long[ATTEMPTS];
    private int count;
    private long floor;

    void add(long attempt) {
      if (contains(attempt)) {
        return;
      }
      if (count == ATTEMPTS) {
        if (attempt < sorted[0]) {
          floor = attempt;
          return;
        }
        floor = sorted[0];
        System.arraycopy(sorted, 1, sorted, 0, --count);
      }
      int at = count++;
      while (at > 0 && sorted[at - 1] > attempt) {
        sorted[at] = sorted[at - 1];
        at--;
      }
      sorted[at] = attempt;
    }

    boolean contains(long attempt) {
      if (attempt <= floor) {
        return true;
      }
      for (int i = 0; i < count; i++) {
        if (sorted[i] == attempt) {
          return true;
        }
      }
      return false;
    }
  }
}

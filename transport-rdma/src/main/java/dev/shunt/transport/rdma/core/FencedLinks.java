package dev.shunt.transport.rdma.core;

import dev.shunt.api.spi.LinkId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;

/**
 * Links that are not to come up any more. Bounded: where the oldest is forgotten, all attempts of
 * its generation up to it count as fenced instead, so that forgetting never lets a stale one in. A
 * peer whose fresh attempt is caught by that gets a refusal, and asks again with a higher number.
 */
public final class FencedLinks {
  private final int bound;
  private final LinkedHashSet<LinkId> links = new LinkedHashSet<>();
  private final LinkedHashMap<Long, Long> floors = new LinkedHashMap<>();

  /** Remembers so many links, and floors of as many generations. */
  public FencedLinks(int bound) {
    this.bound = bound;
  }

  /** Fences a link. */
  public void add(LinkId link) {
    if (contains(link)) {
      return;
    }
    if (links.size() == bound) {
      var oldest = links.removeFirst();
      floors.merge(oldest.generation(), oldest.attempt(), FencedLinks::higher);
      if (floors.size() > bound) {
        floors.pollFirstEntry();
      }
    }
    links.add(link);
  }

  /** Whether a link is fenced. */
  public boolean contains(LinkId link) {
    if (links.contains(link)) {
      return true;
    }
    var floor = floors.get(link.generation());
    return floor != null && Long.compareUnsigned(link.attempt(), floor) <= 0;
  }

  /** How many links are remembered one by one. */
  public int size() {
    return links.size();
  }

  private static Long higher(Long one, Long other) {
    return Long.compareUnsigned(one, other) >= 0 ? one : other;
  }
}

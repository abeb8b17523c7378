package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.Capability;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a node offers to others: a version range for each capability, fixed for a generation.
 *
 * @param capabilities sorted by id, each id once
 */
public record Offer(List<Capability> capabilities) {
  /** Most capabilities of one offer. */
  public static final int MOST = 256;

  /** Offers nothing: what a plain peer does. */
  public static final Offer NONE = new Offer(List.of());

  /** Sorts them, and refuses an id that comes twice. */
  public Offer {
    var sorted = new ArrayList<>(capabilities);
    sorted.sort(Comparator.comparing(Capability::id));
    if (sorted.size() > MOST) {
      throw new IllegalArgumentException(
          "an offer of " + sorted.size() + " capabilities; at most " + MOST + " are allowed");
    }
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).id().equals(sorted.get(i - 1).id())) {
        throw new IllegalArgumentException(
            "capability " + sorted.get(i).id() + " is offered twice");
      }
    }
    capabilities = List.copyOf(sorted);
  }

  /** What it says of one capability. */
  public Optional<Capability> find(String id) {
    for (var capability : capabilities) {
      if (capability.id().equals(id)) {
        return Optional.of(capability);
      }
    }
    return Optional.empty();
  }

  /** The range that it offers of one, in words. */
  public String range(String id) {
    return find(id).map(c -> c.lowest() + " to " + c.highest()).orElse("none");
  }
}

package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Capability.Scope;
import dev.shunt.api.spi.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What two offers come to. Both sides find the same, since neither looks at more than the two
 * offers, and treats them alike.
 */
public final class Negotiation {
  private Negotiation() {}

  /**
   * For each capability that both offer to each other, in ranges that meet, the highest version of
   * both; without those that lack what they require, by either side's word.
   */
  public static Verdict verdict(Offer mine, Offer theirs) {
    var versions = new TreeMap<String, Integer>();
    for (var capability : mine.capabilities()) {
      theirs
          .find(capability.id())
          .filter(other -> capability.scope() == Scope.PEER && other.scope() == Scope.PEER)
          .filter(other -> meet(capability, other))
          .ifPresent(
              other ->
                  versions.put(capability.id(), Math.min(capability.highest(), other.highest())));
    }
    boolean stable;
    do {
      stable =
          !versions
              .keySet()
              .removeIf(id -> lacks(id, mine, versions) || lacks(id, theirs, versions));
    } while (!stable);
    return new Verdict(versions);
  }

  /**
   * Whether what one side cannot do without came out.
   *
   * @param required ids
   * @return what is missing, with both ranges; empty if nothing is
   */
  public static Optional<String> missing(
      Collection<String> required, Offer mine, Offer theirs, Verdict verdict) {
    var texts = new ArrayList<String>();
    for (var id : new TreeMap<String, Boolean>(asKeys(required)).keySet()) {
      if (verdict.version(id) == 0) {
        texts.add(
            id
                + " is required here: offered here "
                + mine.range(id)
                + ", offered there "
                + theirs.range(id)
                + because(id, mine, theirs, verdict));
      }
    }
    return texts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", texts));
  }

  private static TreeMap<String, Boolean> asKeys(Collection<String> ids) {
    var keys = new TreeMap<String, Boolean>();
    ids.forEach(id -> keys.put(id, true));
    return keys;
  }

  private static boolean meet(Capability a, Capability b) {
    return Math.min(a.highest(), b.highest()) >= Math.max(a.lowest(), b.lowest());
  }

  private static boolean lacks(String id, Offer offer, TreeMap<String, Integer> versions) {
    return !versions.keySet().containsAll(requires(id, offer));
  }

  private static List<String> requires(String id, Offer offer) {
    return offer.find(id).map(Capability::requires).orElse(List.of());
  }

  private static String because(String id, Offer mine, Offer theirs, Verdict verdict) {
    var lacking = new ArrayList<String>();
    for (var offer : List.of(mine, theirs)) {
      for (var needed : requires(id, offer)) {
        if (verdict.version(needed) == 0 && !lacking.contains(needed)) {
          lacking.add(needed);
        }
      }
    }
    return lacking.isEmpty()
        ? ""
        : "; it needs " + String.join(", ", lacking) + ", which did not come out either";
  }
}

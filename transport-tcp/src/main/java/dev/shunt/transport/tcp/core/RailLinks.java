package dev.shunt.transport.tcp.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which rails have a link. A rail whose address was never seen on an interface (any address, say,
 * or one of a loopback net that is not listed) has nothing to lose.
 */
public final class RailLinks {
  private final List<Place> places;
  private final boolean[] seen;
  private final String[] problems;

  /**
   * Where a rail is bound.
   *
   * @param address its own
   * @param zone the number of the interface that is meant, where the address alone does not tell; 0
   *     for any
   * @param text of the address, for people
   */
  public record Place(IpAddress address, int zone, String text) {}

  /** What changed. */
  public sealed interface Change {
    /** The rail's index. */
    int rail();

    /** The rail lost its link, or its address. */
    record Lost(int rail, String why) implements Change {}

    /** It has both again. */
    record Back(int rail) implements Change {}
  }

  /** With a place for each rail, by index. */
  public RailLinks(List<Place> places) {
    this.places = List.copyOf(places);
    this.seen = new boolean[places.size()];
    this.problems = new String[places.size()];
  }

  /** All interfaces, as they are now. */
  public List<Change> update(List<Interface> interfaces) {
    var changes = new ArrayList<Change>();
    for (int rail = 0; rail < problems.length; rail++) {
      var problem = problem(rail, interfaces);
      var before = problems[rail];
      problems[rail] = problem.orElse(null);
      if (problem.isPresent() && before == null) {
        changes.add(new Change.Lost(rail, problem.get()));
      } else if (problem.isEmpty() && before != null) {
        changes.add(new Change.Back(rail));
      }
    }
    return changes;
  }

  /** What a rail lacks; empty if it lacks nothing, as far as is known. */
  public Optional<String> problem(int rail) {
    return Optional.ofNullable(problems[rail]);
  }

  /** Whether a rail's address was ever seen on an interface. */
  public boolean watched(int rail) {
    return seen[rail];
  }

  private Optional<String> problem(int rail, List<Interface> interfaces) {
    var place = places.get(rail);
    Interface last = null;
    for (var one : interfaces) {
      boolean meant = place.zone() == 0 || place.zone() == one.index();
      if (meant && one.addresses().contains(place.address())) {
        seen[rail] = true;
        if (one.carries()) {
          return Optional.empty();
        }
        last = one;
      }
    }
    if (last != null) {
      return Optional.of("interface " + last.name() + (last.up() ? " has no carrier" : " is down"));
    }
    return seen[rail]
        ? Optional.of("no interface has its address " + place.text() + " any more")
        : Optional.empty();
  }
}

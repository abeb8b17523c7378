package dev.shunt.transport.tcp.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeMap;

/** What is known of interfaces, piece by piece as it is told. */
public final class LinkTable {
  private final TreeMap<Integer, Link> links = new TreeMap<>();
  private final TreeMap<Integer, SequencedSet<IpAddress>> addresses = new TreeMap<>();

  private record Link(String name, boolean up, boolean running) {}

  /** Without any. */
  public LinkTable() {}

  /**
   * An interface is there, or changed.
   *
   * @param name empty where it was not told, and is as it was
   */
  public void link(int index, Optional<String> name, boolean up, boolean running) {
    var known = links.get(index);
    var called = name.orElse(known == null ? "number " + index : known.name());
    links.put(index, new Link(called, up, running));
  }

  /** An interface is gone. */
  public void linkGone(int index) {
    links.remove(index);
    addresses.remove(index);
  }

  /** An interface has an address. */
  public void address(int index, IpAddress address) {
    addresses.computeIfAbsent(index, _ -> new LinkedHashSet<>()).add(address);
  }

  /** An interface has an address no more, or one that cannot be used. */
  public void addressGone(int index, IpAddress address) {
    var known = addresses.get(index);
    if (known != null && known.remove(address) && known.isEmpty()) {
      addresses.remove(index);
    }
  }

  /** All of it, in the order of their numbers. */
  public List<Interface> interfaces() {
    var all = new ArrayList<Interface>(links.size());
    links.forEach(
        (index, link) -> {
          var has = addresses.get(index);
          all.add(
              new Interface(
                  index,
                  link.name(),
                  link.up(),
                  link.running(),
                  has == null ? List.of() : List.copyOf(has)));
        });
    return List.copyOf(all);
  }
}

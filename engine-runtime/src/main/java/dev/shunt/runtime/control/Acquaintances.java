package dev.shunt.runtime.control;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Who is behind the addresses that are called, as far as nodes were met. Any thread. */
public final class Acquaintances {
  private final Map<String, Acquaintance> byAddress = new ConcurrentHashMap<>();

  /**
   * A node that was met.
   *
   * @param name its name
   * @param generation its generation, 0 for a plain peer
   * @param addresses {@code host:port} of its control plane
   */
  public record Acquaintance(String name, long generation, List<String> addresses) {
    /** Copies the list. */
    public Acquaintance {
      addresses = List.copyOf(addresses);
    }
  }

  /** Nobody is known. */
  public Acquaintances() {}

  /** A node was met. */
  public void met(Acquaintance node) {
    node.addresses().forEach(address -> byAddress.put(address, node));
  }

  /** A node is not known any more. */
  public void forget(Acquaintance node) {
    node.addresses().forEach(address -> byAddress.remove(address, node));
  }

  /** Who is behind an address. */
  public Optional<Acquaintance> at(String address) {
    return Optional.ofNullable(byAddress.get(address));
  }

  /** All of them, each once. */
  List<Acquaintance> all() {
    return byAddress.values().stream().distinct().toList();
  }
}

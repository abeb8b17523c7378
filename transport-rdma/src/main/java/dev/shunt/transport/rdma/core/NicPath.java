package dev.shunt.transport.rdma.core;

import java.util.Optional;

/**
 * Names a NIC of a node on the wire: {@code node@nic}.
 *
 * @param node the node; may itself contain an {@code @}
 * @param nic the rail's name
 */
public record NicPath(String node, String nic) {
  /** Reads one. */
  public static Optional<NicPath> parse(String text) {
    int at = text.lastIndexOf('@');
    if (at < 1 || at == text.length() - 1) {
      return Optional.empty();
    }
    return Optional.of(new NicPath(text.substring(0, at), text.substring(at + 1)));
  }

  @Override
  public String toString() {
    return node + "@" + nic;
  }
}

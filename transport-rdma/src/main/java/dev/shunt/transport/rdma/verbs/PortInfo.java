package dev.shunt.transport.rdma.verbs;

/**
 * A port as it is now.
 *
 * @param state as {@code enum ibv_port_state}: 4 is active
 * @param activeMtu as {@code enum ibv_mtu}
 * @param gids entries of the GID table
 * @param maxMessage bytes of a message
 * @param lid its local id, 0 on Ethernet
 * @param ethernet whether the link layer is Ethernet
 */
public record PortInfo(
    int state, int activeMtu, int gids, long maxMessage, int lid, boolean ethernet) {
  /** Whether it carries data. */
  public boolean active() {
    return state == 4;
  }
}

package dev.shunt.transport.rdma.verbs;

/**
 * Where a QP is connected to.
 *
 * @param qpNumber the peer's QP
 * @param gid the address of the peer's port
 * @param lid the local id of the peer's port, 0 on Ethernet
 * @param pathMtu as {@code enum ibv_mtu}: 1 for 256 bytes, up to 5 for 4096
 */
public record QpPeer(int qpNumber, Gid gid, int lid, int pathMtu) {}

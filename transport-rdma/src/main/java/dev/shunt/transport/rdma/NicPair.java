package dev.shunt.transport.rdma;

/**
 * Names the connection with a plain peer: it has no id of its own, so there is one for each pair of
 * NICs, whoever asked for it.
 *
 * @param theirs the path that the peer calls its NIC by
 * @param ours the name of our NIC
 */
record NicPair(String theirs, String ours) {}

package dev.shunt.runtime.control;

import java.net.InetSocketAddress;

/**
 * One way to a peer.
 *
 * @param local where to connect from; the wildcard address for any
 * @param address the peer's, as it was given
 * @param bulk whether it carries payload
 */
record Route(InetSocketAddress local, String address, boolean bulk) {}

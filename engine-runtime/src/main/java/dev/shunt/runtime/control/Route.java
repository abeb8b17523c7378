package dev.shunt.runtime.control;

import dev.shunt.runtime.control.core.Traffic;
import java.net.InetSocketAddress;

/**
 * One way to a peer.
 *
 * @param local where to connect from; the wildcard address for any
 * @param address the peer's, as it was given
 * @param traffic of which class its calls are
 */
record Route(InetSocketAddress local, String address, Traffic traffic) {}

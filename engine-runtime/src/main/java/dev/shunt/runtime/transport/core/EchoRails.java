package dev.shunt.runtime.transport.core;

import dev.shunt.api.spi.RemoteRail;
import java.util.List;

/**
 * The rails of a node that lends memory to be read by a check.
 *
 * @param rails all of them
 * @param out those that it tells to be out of use, by their index
 * @param silent whether it is known not to answer
 */
public record EchoRails(List<RemoteRail> rails, List<Integer> out, boolean silent) {}

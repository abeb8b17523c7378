package dev.shunt.runtime.transport.core;

import dev.shunt.api.spi.RemoteRail;

/**
 * A path that a check may read over.
 *
 * @param partner which of the nodes that lend memory
 * @param rail which of its rails
 * @param turn how far from the place of the checked rail that is: 0 for the rail in the same place
 * @param mute whether its failing says nothing: the node tells that this rail, or the one in the
 *     same place, is out of use
 */
public record EchoTry(int partner, RemoteRail rail, int turn, boolean mute) {
  /** Whether its failing says something: what is cabled together is expected to work together. */
  public boolean paired() {
    return turn == 0 && !mute;
  }
}

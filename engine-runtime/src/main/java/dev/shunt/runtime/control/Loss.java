package dev.shunt.runtime.control;

import dev.shunt.api.spi.WireException;

/**
 * Why a connection is no more, or never was.
 *
 * @param why for people
 * @param certain whether others who wait for such a connection would fare no better
 * @param late whether nothing happened but that time passed
 * @param ours whether the reason lies with this node
 */
record Loss(String why, boolean certain, boolean late, boolean ours) {
  static Loss of(String why) {
    return new Loss(why, true, false, false);
  }

  static Loss of(WireException broken) {
    return new Loss(broken.getMessage(), true, false, OwnTrouble.is(broken));
  }
}

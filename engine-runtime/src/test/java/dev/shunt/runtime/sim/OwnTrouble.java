package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;

/** A kind of fault of a node's own rail: begins when it is called, and ends by itself. */
@FunctionalInterface
interface OwnTrouble {
  /** It begins. */
  void begin(SimNode node, int rail, Dice dice);
}

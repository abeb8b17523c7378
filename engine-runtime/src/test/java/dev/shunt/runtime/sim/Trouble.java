package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;

/** A kind of fault: begins when it is called, and ends by itself after some time. */
@FunctionalInterface
interface Trouble {
  /** It begins. */
  void begin(Dice dice);
}

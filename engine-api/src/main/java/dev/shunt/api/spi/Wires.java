package dev.shunt.api.spi;

/** Gives loops of byte streams. */
public interface Wires {
  /** A new loop, for one thread: a lane's, that is. The supervisor has one of its own. */
  WireLoop open(String name);
}

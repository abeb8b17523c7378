package dev.shunt.api.spi;

/** Gives loops of byte streams. */
public interface Wires {
  /**
   * A new loop, for one thread at a time: a lane's, that is. It is the caller's to close: a lane's
   * driver does so in {@link LaneDriver#close}, the transport in {@link Transport#close} where no
   * driver took it over. The supervisor has one of its own, which the runtime closes.
   */
  WireLoop open(String name);
}

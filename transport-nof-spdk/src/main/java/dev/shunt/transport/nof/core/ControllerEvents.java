package dev.shunt.transport.nof.core;

import dev.shunt.api.spi.Fault;

/** What a {@link Controller} tells. */
public interface ControllerEvents {
  /** It takes I/O queues from here on. */
  void ready(ControllerFacts facts, long now);

  /** It did not come up, or does not answer: its admin queue is to be ended. */
  void failed(Fault fault, long now);

  /** A namespace was looked up. */
  interface Lookup {
    /** It is there. */
    void found(NamespaceFacts facts, long now);

    /** It is not, or cannot be used. */
    void refused(Fault fault, long now);
  }
}

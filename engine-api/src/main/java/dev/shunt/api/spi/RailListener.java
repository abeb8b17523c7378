package dev.shunt.api.spi;

/** What the runtime wants to hear of rails. Called on the supervisor thread. */
public interface RailListener {
  /**
   * The rail cannot carry anything until further notice. Its channels are reported down as well.
   */
  void inactive(Rail rail, Fault cause);

  /** What made the rail inactive is over; whether it is used again is the policy's decision. */
  void returned(Rail rail);

  /** {@link Rail#attributes()} changed: the descriptor is published again. */
  void changed(Rail rail);
}

package dev.shunt.api.spi;

/** What the runtime wants to hear of rails. Called on the supervisor thread. */
public interface RailListener {
  /**
   * The rail cannot carry anything until further notice. Its channels are reported down as well.
   * May come again while it lasts, with another cause.
   */
  void inactive(Rail rail, RailLoss loss, Fault cause);

  /**
   * The link or the address is back that {@link RailLoss#LINK} told of. Whether, and when, the rail
   * is used again is the policy's decision, after a delay and a {@link Transport#check}.
   */
  void returned(Rail rail);

  /**
   * {@link Rail#attributes()} changed, or {@link RegionKey#remoteKey()} of memory on it: the
   * descriptor is published again.
   */
  void changed(Rail rail);
}

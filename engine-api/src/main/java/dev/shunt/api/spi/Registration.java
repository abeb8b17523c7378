package dev.shunt.api.spi;

import java.util.List;

/** What came of registering memory on several rails. */
public sealed interface Registration {
  /**
   * It is registered.
   *
   * @param keys one for each rail, in their order
   */
  record Made(List<RegionKey> keys) implements Registration {
    /** Copies. */
    public Made {
      keys = List.copyOf(keys);
    }
  }

  /**
   * It is registered nowhere.
   *
   * @param why with the reason and the remedy
   */
  record Refused(TransportException why) implements Registration {}
}

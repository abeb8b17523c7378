package dev.shunt.api.spi;

import com.typesafe.config.Config;

/** What the runtime lends to a metadata backend. */
public interface MetadataContext {
  /** The backend's subtree, {@code shunt.metadata.ID}. */
  Config config();

  /** Monotonic nanoseconds. */
  long now();

  /**
   * Asks the node that listens at an address for its descriptor.
   *
   * @param address {@code host:port} of its control plane
   * @param deadline in nanoseconds of {@link #now()}
   * @param answer called once, on any thread
   */
  void ask(String address, long deadline, java.util.function.Consumer<Lookup> answer);
}

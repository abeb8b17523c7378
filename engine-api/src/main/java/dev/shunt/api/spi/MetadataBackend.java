package dev.shunt.api.spi;

import java.util.function.Consumer;

/** Where nodes' descriptors are found. Methods may be called on any thread, and never block. */
public interface MetadataBackend {
  /**
   * The name that this node has under this backend.
   *
   * @param configured the name that configuration gives, or an empty text
   * @param controlAddress {@code host:port} where the control plane is reached
   */
  String nodeName(String configured, String controlAddress);

  /** Publishes this node's descriptor, in place of the one before. */
  void publish(String name, String descriptor);

  /** Takes this node's descriptor back. */
  void withdraw(String name);

  /**
   * Looks a descriptor up.
   *
   * @param deadline in nanoseconds of {@link MetadataContext#now()}
   * @param answer called once, on any thread
   */
  void lookup(String name, long deadline, Consumer<Lookup> answer);

  /**
   * Wants to hear of descriptors that may have changed. A backend that is told of changes tells
   * them on; for one that is not, as where nodes answer for themselves, there is nothing to do.
   * Called once, before any {@link #lookup}.
   *
   * @param changed takes the name of a segment that was looked up before; on any thread
   */
  default void watch(Consumer<String> changed) {}

  /**
   * Whether descriptors come from somewhere else than from the nodes themselves: then a node that
   * does not answer is looked up once more, since it may have another address by now. Where nodes
   * answer for themselves that would be one more question to a node that does not answer.
   */
  default boolean central() {
    return false;
  }

  /** Ends it. */
  void close();
}

package dev.shunt.api.spi;

import java.util.Map;

/**
 * A way out of, and into, this node: a port of a NIC, or a local address. Immutable but for
 * attributes.
 */
public interface Rail {
  /** Unique within the transport, and the same after a restart: a device's name, or an address. */
  String name();

  /** Its place in the list that {@link Transport#start} gave; lists of keys pair by it. */
  int index();

  /**
   * What a peer must know to connect to it, published in the descriptor under the transport's id.
   * Of the transport's own making: only the same transport on the other side reads it. Any thread.
   */
  Map<String, String> attributes();

  /**
   * Which memory it is near to: {@code cpu:0}, as {@link dev.shunt.api.Buffer#location()} has it.
   * Empty where that is not known. Counts where configuration says nothing. Never changes.
   */
  default String location() {
    return "";
  }
}

package dev.shunt.api.spi;

import java.util.Optional;

/** Makes a {@link Transport}. Configured under {@code shunt.transports.ID}. */
public interface TransportProvider extends Provider {
  /**
   * Makes the transport of one engine. Does no I/O and starts nothing: that is {@link
   * Transport#start}'s.
   *
   * @throws TransportException if the machine lacks what it needs (a library, a permission): the
   *     engine then runs without it, and lists the reason
   */
  Transport create(TransportContext context);

  /**
   * What this machine lacks without which none of its transports starts, such as a library; with
   * the remedy, on one line. Looks, and opens nothing: {@code shunt plugins} asks it of plug-ins
   * that nobody starts. Empty where nothing is known to be missing, which promises nothing.
   */
  default Optional<String> missing() {
    return Optional.empty();
  }
}

package dev.shunt.api.spi;

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
}

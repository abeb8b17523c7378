package dev.shunt.api.spi;

import java.net.InetSocketAddress;

/** Accepts wires. */
public interface WireServer {
  /** Where it listens; the port is the real one. */
  InetSocketAddress address();

  /** Listens no more. Accepted wires stay. */
  void close();

  /** Takes accepted wires. */
  interface Handler {
    /** A wire came in; the answer handles its events from here on. Called from the loop's poll. */
    WireHandler accepted(Wire wire, long now);
  }
}

package dev.shunt.transport.tcp.links;

/** Watches until it is closed. */
@FunctionalInterface
public interface LinkWatch {
  /** Tells nothing more, and lets go of what it has. On the supervisor thread; does not wait. */
  void close();
}

package dev.shunt.transport.tcp.links;

import dev.shunt.transport.tcp.core.Interface;
import java.util.List;
import java.util.Optional;

/** Reads interfaces. One thread at a time but for {@link #wake}; not always the same one. */
interface LinkReader {
  /**
   * Waits for news; the first time there are some at once.
   *
   * @return all interfaces, where they are not as they were at the last call; empty if that did not
   *     come within the time
   * @throws LinkException if it cannot go on
   */
  Optional<List<Interface>> await(long nanos);

  /** Ends {@link #await}, or the next one. Any thread, until it is closed. */
  void wake();

  /** Lets go of what it has. */
  void close();
}

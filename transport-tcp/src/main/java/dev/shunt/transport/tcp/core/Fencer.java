package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.LinkId;

/** Makes a stale link harmless, wherever on this node its stream lives. */
@FunctionalInterface
public interface Fencer {
  /**
   * Fences a link.
   *
   * @return true if that is done; false if it takes a while: then {@link Responder#fenced} follows
   */
  boolean fence(LinkId stale);
}

package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.LinkId;

/**
 * Asks a peer to refuse all that still comes by a link.
 *
 * @param transport the transport's id
 * @param link whose effects are to end; its generation is the asking node's
 * @param expected the generation that the asked node is thought to have
 * @param codes whether a refusal may have a code: only to a node that agreed on it
 */
public record FenceRequest(String transport, LinkId link, long expected, boolean codes) {
  /** Refusals have a text only. */
  public FenceRequest(String transport, LinkId link, long expected) {
    this(transport, link, expected, false);
  }
}

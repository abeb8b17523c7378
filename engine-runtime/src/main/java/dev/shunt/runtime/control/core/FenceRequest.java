package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.LinkId;

/**
 * Asks a peer to refuse all that still comes by a link.
 *
 * @param transport the transport's id
 * @param link whose effects are to end; its generation is the asking node's
 * @param expected the generation that the asked node is thought to have
 */
public record FenceRequest(String transport, LinkId link, long expected) {}

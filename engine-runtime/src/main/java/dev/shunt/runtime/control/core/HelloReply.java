package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.Refusal;
import java.util.Optional;

/** The answer to a Hello. */
public sealed interface HelloReply {
  /**
   * They met.
   *
   * @param version of the exchange, as the answering node speaks it
   * @param generation the answering node's
   * @param offer what the answering node offers
   */
  record Ok(int version, long generation, Offer offer) implements HelloReply {}

  /**
   * The asked node is another process than the one that was expected.
   *
   * @param generation its true generation
   */
  record StaleGeneration(int version, long generation) implements HelloReply {}

  /**
   * The asked node will not deal with this one.
   *
   * @param reason names the capability, and both ranges
   * @param code for machines; empty where only one side offers codes
   */
  record Refused(int version, long generation, Offer offer, String reason, Optional<Refusal> code)
      implements HelloReply {
    /** Without a code. */
    public Refused(int version, long generation, Offer offer, String reason) {
      this(version, generation, offer, reason, Optional.empty());
    }
  }

  /** An empty answer: a node that knows no Hello. */
  record Plain() implements HelloReply {}
}

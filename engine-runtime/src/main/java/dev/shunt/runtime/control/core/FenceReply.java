package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.Refusal;
import java.util.Optional;

/** The answer to a {@link FenceRequest}. */
public sealed interface FenceReply {
  /** From now on nothing changes memory by that link. */
  record Fenced() implements FenceReply {}

  /**
   * That cannot be promised; ask again later.
   *
   * @param reason for people
   * @param code for machines; empty where it was not agreed on
   */
  record Refused(String reason, Optional<Refusal> code) implements FenceReply {
    /** Without a code. */
    public Refused(String reason) {
      this(reason, Optional.empty());
    }

    /** With one. */
    public Refused(Refusal code, String reason) {
      this(reason, Optional.of(code));
    }
  }

  /**
   * The asked process is another one, and never had that link. Its predecessor is gone, and with it
   * the memory.
   *
   * @param generation its true generation
   */
  record StaleGeneration(long generation) implements FenceReply {}
}

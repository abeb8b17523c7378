package dev.shunt.runtime.control.core;

/** The answer to a {@link FenceRequest}. */
public sealed interface FenceReply {
  /** From now on nothing changes memory by that link. */
  record Fenced() implements FenceReply {}

  /** That cannot be promised; ask again later. */
  record Refused(String reason) implements FenceReply {}

  /**
   * The asked process is another one, and never had that link. Its predecessor is gone, and with it
   * the memory.
   *
   * @param generation its true generation
   */
  record StaleGeneration(long generation) implements FenceReply {}
}

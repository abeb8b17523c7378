package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;

/** Where the answer to one request goes. The first answer counts; any thread. */
public interface ControlReply {
  /** Succeeds, with an attachment. */
  void send(byte[] attachment);

  /**
   * Fails the call itself.
   *
   * @param code told to a peer of ours; a TENT peer sees a text
   * @param text what, and what would be right
   */
  void fail(FailureCode code, String text);
}

package dev.shunt.runtime.control;

import dev.shunt.api.spi.Fault;

/**
 * Takes the end of a call. Exactly one method is called, once, by the call's deadline: on the
 * control thread, or on the caller's own where the call is refused at once.
 */
public interface CallHandler {
  /** The peer's attachment: unchecked input, maybe empty. */
  void reply(byte[] attachment);

  /**
   * No answer. {@link Fault#effect()} is NONE where not a byte of the request went out, so that it
   * certainly was not served; {@link Fault#vendorCode()} is the peer's error code if it answered
   * with one.
   */
  void failed(Fault fault);
}

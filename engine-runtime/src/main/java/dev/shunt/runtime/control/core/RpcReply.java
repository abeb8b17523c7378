package dev.shunt.runtime.control.core;

/**
 * A reply as it came.
 *
 * @param sequence of the request
 * @param error the peer's error code, or 0
 * @param text of the error, maybe empty
 * @param attachment the reply itself
 */
public record RpcReply(int sequence, int error, String text, byte[] attachment) {}

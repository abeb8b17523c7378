package dev.shunt.api;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * One read or write.
 *
 * @param operation which way
 * @param local memory within one registered buffer of this engine; its length is the request's
 * @param segment the remote
 * @param remoteAddress the first byte at the remote, within one of its buffers
 */
public record Request(
    Operation operation, MemorySegment local, Segment segment, long remoteAddress) {
  /** Nothing may be null. */
  public Request {
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(local, "local");
    Objects.requireNonNull(segment, "segment");
  }

  /** Writes local memory to the remote. */
  public static Request write(MemorySegment local, Segment segment, long remoteAddress) {
    return new Request(Operation.WRITE, local, segment, remoteAddress);
  }

  /** Reads remote memory into local memory. */
  public static Request read(MemorySegment local, Segment segment, long remoteAddress) {
    return new Request(Operation.READ, local, segment, remoteAddress);
  }

  /** Bytes. */
  public long length() {
    return local.byteSize();
  }
}

package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.Wire;

/**
 * The answers of one stream. Acknowledgements are held back until something else, or nothing, is to
 * be sent, so that one speaks for a run.
 */
final class Replies {
  /** Room for all that a request may have to put besides a payload: what was held back, and two. */
  private static final int ANSWERS = 3 * Frame.HEADER;

  private final Wire wire;
  private final FrameWriter writer;
  private final StreamLimits limits;
  private final Checksum checksum;
  private long applied;
  private long heldBack;

  Replies(Wire wire, FrameBuffer out, StreamLimits limits, Views views) {
    this.wire = wire;
    this.writer = new FrameWriter(out, limits.turn());
    this.limits = limits;
    this.checksum = new Checksum(views);
  }

  /** Whether any answer can be put now. */
  boolean room() {
    return writer.room(ANSWERS + limits.copyLimit());
  }

  /** Whether a payload waits to go out from where it lies. */
  boolean attached() {
    return writer.attached();
  }

  boolean pending() {
    return writer.pending();
  }

  long written() {
    return writer.written();
  }

  /** Sends what the wire takes; answers whether nothing is left. */
  boolean drain() {
    return writer.drain(wire);
  }

  void discard() {
    writer.discard();
  }

  /** Whether as many requests are done and not acknowledged as may be unanswered. */
  boolean full() {
    return heldBack >= limits.depth();
  }

  /** A request is done that needs an acknowledgement. */
  void applied(long id) {
    applied = id;
    heldBack++;
  }

  /** Acknowledges all that is done. */
  void acknowledge() {
    if (heldBack > 0) {
      writer.header(Frame.ACK, Frame.OK, applied, heldBack, 0, 0);
      heldBack = 0;
    }
  }

  void refuse(int type, int status, long id) {
    acknowledge();
    writer.header(type, status, id, type == Frame.ACK ? 1 : 0, 0, 0);
  }

  /**
   * Answers a read.
   *
   * @return whether its payload is on its way; otherwise the lease is to be held until all went out
   */
  boolean data(long id, Lease lease, long length) {
    acknowledge();
    writer.header(Frame.DATA, Frame.OK, id, 0, length, 0);
    if (length > limits.copyLimit()) {
      if (limits.checksums()) {
        writer.checksum(checksum.of(lease.memory(), lease.offset(), length));
      }
      writer.attach(lease.memory(), lease.offset(), length, limits.copyLimit());
      return false;
    }
    writer.copy(lease.memory(), lease.offset(), length);
    if (limits.checksums()) {
      writer.checksumOfCopy(length);
    }
    return true;
  }

  /** A last word, if there is room for one. */
  void bye(Bye reason) {
    if (writer.room(ANSWERS)) {
      acknowledge();
      writer.header(Frame.BYE, reason.code(), 0, 0, 0, 0);
      writer.drain(wire);
    }
  }
}

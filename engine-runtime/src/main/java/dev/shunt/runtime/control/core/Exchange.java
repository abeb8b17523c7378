package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.Lease;

/** A request that was read and not answered yet, on one connection. */
public final class Exchange {
  private static final byte[] NOTHING = {};

  private final int sequence;
  private final int function;
  private long charge;
  private byte[] request;
  private final long deadline;
  private byte[] head;
  private byte[] attachment = NOTHING;
  private Lease lent;
  private long length;

  /**
   * @param charge what its bytes take of the budget
   */
  Exchange(RpcRequest request, long deadline, long charge) {
    this.charge = charge;
    this.sequence = request.sequence();
    this.function = request.function();
    this.request = request.attachment();
    this.deadline = deadline;
  }

  /** What is called. */
  public int function() {
    return function;
  }

  /** The attachment: unchecked input. */
  public byte[] request() {
    return request;
  }

  int sequence() {
    return sequence;
  }

  long deadline() {
    return deadline;
  }

  boolean answered() {
    return head != null;
  }

  /** What its bytes take, which are let go of: it is answered, if not in its turn yet. */
  long letGo() {
    long taken = charge;
    charge = 0;
    request = NOTHING;
    return taken;
  }

  void answer(byte[] replyHead, byte[] replyAttachment) {
    head = replyHead;
    attachment = replyAttachment;
  }

  /** Answers with registered memory, which is held until it is sent. */
  void answer(byte[] replyHead, Lease memory, long bytes) {
    head = replyHead;
    lent = memory;
    length = bytes;
  }

  void moveTo(Outbox outbox) {
    outbox.add(head);
    outbox.add(attachment);
    if (lent != null) {
      outbox.lend(lent, length);
    }
  }
}

package dev.shunt.runtime.control.core;

/** A request that was read and not answered yet, on one connection. */
public final class Exchange {
  private final int sequence;
  private final int function;
  private final byte[] request;
  private final long deadline;
  private byte[] head;
  private byte[] attachment;

  Exchange(RpcRequest request, long deadline) {
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

  void answer(byte[] replyHead, byte[] replyAttachment) {
    head = replyHead;
    attachment = replyAttachment;
  }

  void moveTo(Outbox outbox) {
    outbox.add(head);
    outbox.add(attachment);
  }
}

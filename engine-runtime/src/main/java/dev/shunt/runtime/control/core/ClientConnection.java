package dev.shunt.runtime.control.core;

import java.lang.foreign.MemorySegment;

/** The calling end of one connection: one request at a time. */
public final class ClientConnection {
  private final ReplyDecoder decoder;
  private final Outbox outbox = new Outbox();
  private int sequence = -1;
  private boolean busy;
  private long sentBefore;
  private String failure = "";

  /** A connection on which nothing was asked yet. */
  public ClientConnection(int maxAttachment) {
    this.decoder = new ReplyDecoder(maxAttachment);
  }

  /** Asks. Only while it is not {@link #busy()}. */
  public void ask(int function, byte[] attachment) {
    if (busy) {
      throw new IllegalStateException("a request is under way");
    }
    busy = true;
    sentBefore = outbox.sent();
    outbox.add(Frames.request(++sequence, function, attachment.length));
    outbox.add(attachment);
  }

  /** Whether a request is under way. */
  public boolean busy() {
    return busy;
  }

  /** Whether a byte of the request that is under way went out. */
  public boolean begun() {
    return outbox.sent() > sentBefore;
  }

  /** How many bytes to read next, at most. Also while it is idle: nothing may come then. */
  public int wants() {
    return decoder.wants();
  }

  /** Takes bytes that were read: at most {@link #wants()}. */
  public void received(MemorySegment from, long offset, int count) {
    if (!busy) {
      failure = "the peer sent bytes that nobody asked for";
      return;
    }
    decoder.accept(from, offset, count);
    if (decoder.broken()) {
      failure = decoder.violation();
    }
  }

  /**
   * The reply that the last bytes completed, once; null if there is none. A refusal may come before
   * the request went out to its end; then {@link #failure()} is set as well.
   */
  public RpcReply take() {
    if (!decoder.complete() || !failure.isEmpty()) {
      return null;
    }
    var reply = decoder.take();
    if (reply.sequence() != sequence) {
      failure =
          "a reply to request "
              + Integer.toUnsignedString(reply.sequence())
              + " where "
              + Integer.toUnsignedString(sequence)
              + " was asked";
      return null;
    }
    if (outbox.waiting() > 0) {
      failure = "a reply to a request that was not sent to its end";
      if (reply.error() == 0) {
        return null;
      }
    }
    busy = false;
    return reply;
  }

  /** What the peer did wrong, or an empty text: the connection is of no use any more. */
  public String failure() {
    return failure;
  }

  /** What waits to be sent. */
  public Outbox outbox() {
    return outbox;
  }
}

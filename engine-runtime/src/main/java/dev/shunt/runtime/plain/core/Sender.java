package dev.shunt.runtime.plain.core;

import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.Wire;
import dev.shunt.runtime.control.core.DataCodec;
import dev.shunt.runtime.control.core.FrameHeads;
import dev.shunt.runtime.control.core.Functions;
import java.lang.foreign.MemorySegment;

/**
 * Puts requests on the wire: heads are staged, and so are small payloads and the beginning of large
 * ones; the rest of a payload goes straight from its memory, and nothing is staged behind it before
 * it is out.
 */
final class Sender {
  /** Bytes of a SendData or RecvData before its payload. */
  static final int DATA_HEAD = FrameHeads.REQUEST + DataCodec.HEAD;

  private final MemorySegment out;
  private final int copyLimit;
  private final MemorySegment subscription;
  private long from;
  private long to;
  private MemorySegment payload;
  private long payloadAt;
  private long payloadLeft;
  private long staged;
  private long written;
  private boolean codes;

  /**
   * @param out staging memory
   * @param copyLimit how much of a payload is staged
   * @param subscription what SubscribeSegmentUpdate says
   */
  Sender(MemorySegment out, int copyLimit, MemorySegment subscription) {
    this.out = out;
    this.copyLimit = copyLimit;
    this.subscription = subscription;
  }

  /** From now on refusals may begin with a code: the peer agreed on it. */
  void codes() {
    codes = true;
  }

  /** How many bytes went out. */
  long written() {
    return written;
  }

  boolean pending() {
    return from < to || payloadLeft > 0;
  }

  /** Stages what there is room for. */
  void stage(Pipeline pipeline) {
    while (pipeline.hasUnstaged() && payloadLeft == 0) {
      long most = DATA_HEAD + Math.max(copyLimit, subscription.byteSize());
      if (out.byteSize() - to < most) {
        if (from < to) {
          return;
        }
        from = 0;
        to = 0;
      }
      long startAt = staged;
      int sequence = pipeline.unstagedSequence();
      switch (pipeline.unstagedKind()) {
        case DESCRIBE -> head(sequence, Functions.GET_SEGMENT_DESC, 0);
        case SUBSCRIBE -> {
          head(sequence, Functions.SUBSCRIBE, subscription.byteSize());
          copy(subscription, 0, subscription.byteSize());
        }
        case DATA -> data(sequence, pipeline.unstagedSlice());
      }
      pipeline.staged(startAt, staged);
    }
  }

  private void data(int sequence, Slice slice) {
    long length = slice.length();
    if (!slice.write()) {
      head(sequence, Functions.RECV_DATA, DataCodec.HEAD);
      range(slice);
      return;
    }
    head(sequence, Functions.SEND_DATA, DataCodec.HEAD + length);
    range(slice);
    long copied = Math.min(length, copyLimit);
    copy(slice.memory(), slice.offset(), copied);
    if (copied < length) {
      payload = slice.memory();
      payloadAt = slice.offset() + copied;
      payloadLeft = length - copied;
      staged += payloadLeft;
    }
  }

  private void head(int sequence, int function, long attachment) {
    FrameHeads.putRequest(out, to, sequence, function, attachment, codes);
    to += FrameHeads.REQUEST;
    staged += FrameHeads.REQUEST;
  }

  private void range(Slice slice) {
    FrameHeads.putRange(out, to, slice.remoteAddress(), slice.length());
    to += DataCodec.HEAD;
    staged += DataCodec.HEAD;
  }

  private void copy(MemorySegment memory, long at, long length) {
    MemorySegment.copy(memory, at, out, to, length);
    to += length;
    staged += length;
  }

  /** Writes what the wire takes; answers whether all that is staged went out. */
  boolean drain(Wire wire) {
    while (from < to) {
      long taken = wire.write(out, from, to - from);
      if (taken == 0) {
        return false;
      }
      from += taken;
      written += taken;
    }
    from = 0;
    to = 0;
    while (payloadLeft > 0) {
      long taken = wire.write(payload, payloadAt, payloadLeft);
      if (taken == 0) {
        return false;
      }
      payloadAt += taken;
      payloadLeft -= taken;
      written += taken;
    }
    payload = null;
    return true;
  }

  /** Nothing more goes out, and no payload is touched. */
  void discard() {
    from = 0;
    to = 0;
    payload = null;
    payloadLeft = 0;
  }
}

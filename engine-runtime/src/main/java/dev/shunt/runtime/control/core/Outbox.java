package dev.shunt.runtime.control.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/** Bytes that wait to be sent on one stream. */
public final class Outbox {
  private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
  private int offset;
  private long waiting;
  private long sent;

  /** Appends; the array is not changed afterwards. */
  void add(byte[] piece) {
    if (piece.length > 0) {
      pieces.add(piece);
      waiting += piece.length;
    }
  }

  /** How many bytes wait. */
  public long waiting() {
    return waiting;
  }

  /** How many bytes ever went out. */
  public long sent() {
    return sent;
  }

  /** Copies the first bytes that wait, as far as there is room. They go on waiting. */
  public int copy(MemorySegment into) {
    int room = (int) Math.min(into.byteSize(), waiting);
    int copied = 0;
    int from = offset;
    for (var piece : pieces) {
      if (copied == room) {
        break;
      }
      int count = Math.min(room - copied, piece.length - from);
      MemorySegment.copy(piece, from, into, ValueLayout.JAVA_BYTE, copied, count);
      copied += count;
      from = 0;
    }
    return copied;
  }

  /** Says that the first bytes went out. */
  public void sent(long count) {
    if (count > waiting) {
      throw new IllegalArgumentException(count + " bytes sent of " + waiting);
    }
    waiting -= count;
    sent += count;
    var left = count;
    while (left > 0) {
      int head = pieces.peek().length - offset;
      if (left < head) {
        offset += (int) left;
        return;
      }
      left -= head;
      offset = 0;
      pieces.poll();
    }
  }
}

package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.Lease;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/**
 * Bytes that wait to be sent on one stream: arrays, and registered memory that is lent until it is
 * sent. While {@link #lent()} they are to be written from {@link #memory()}; else from where {@link
 * #copy} puts them, together with the beginning of lent memory that follows.
 */
public final class Outbox {
  /** Less than this of lent memory is cheaper copied than written by a call of its own. */
  private static final int COPIED = 16 << 10;

  /** What each array takes besides its bytes: many answers have none but their head. */
  private static final int APIECE = 64;

  private static final Lease UNHELD = new Lease();

  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
  private long offset;
  private long waiting;
  private long heap;
  private long sent;

  private sealed interface Piece {
    long length();

    void copy(long from, MemorySegment into, int at, int count);
  }

  private record Bytes(byte[] bytes) implements Piece {
    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public void copy(long from, MemorySegment into, int at, int count) {
      MemorySegment.copy(bytes, (int) from, into, ValueLayout.JAVA_BYTE, at, count);
    }
  }

  private record Lent(MemorySegment memory, long offset, long length, Lease lease)
      implements Piece {
    @Override
    public void copy(long from, MemorySegment into, int at, int count) {
      MemorySegment.copy(memory, offset + from, into, at, count);
    }
  }

  /** Appends; the array is not changed afterwards. */
  void add(byte[] piece) {
    if (piece.length > 0) {
      pieces.add(new Bytes(piece));
      waiting += piece.length;
      heap += piece.length + APIECE;
    }
  }

  /** Lends what a lease holds; it is released when the last byte went out. */
  void lend(Lease lease, long length) {
    lend(lease.memory(), lease.offset(), length, lease);
  }

  /** Lends memory that its owner keeps in place until the last byte went out. */
  void lend(MemorySegment memory, long from, long length) {
    lend(memory, from, length, UNHELD);
  }

  private void lend(MemorySegment memory, long from, long length, Lease lease) {
    if (length > 0) {
      pieces.add(new Lent(memory, from, length, lease));
      waiting += length;
    }
  }

  /** How many bytes wait. */
  public long waiting() {
    return waiting;
  }

  /** What all that waits takes of the heap, about: lent memory takes nothing. */
  long heap() {
    return heap;
  }

  /** How many bytes ever went out. */
  public long sent() {
    return sent;
  }

  /** Whether the first bytes that wait are to be written straight from {@link #memory()}. */
  public boolean lent() {
    return pieces.peek() instanceof Lent first && first.length - offset > COPIED;
  }

  /** The memory of the first bytes that wait. Only while {@link #lent()}. */
  public MemorySegment memory() {
    return ((Lent) pieces.peek()).memory();
  }

  /** Where in {@link #memory()}. */
  public long offset() {
    return ((Lent) pieces.peek()).offset() + offset;
  }

  /** How many bytes there. */
  public long length() {
    return pieces.peek().length() - offset;
  }

  /** Copies the first bytes that wait, as far as there is room. They go on waiting. */
  public int copy(MemorySegment into) {
    int room = (int) Math.min(into.byteSize(), waiting);
    int copied = 0;
    long from = offset;
    for (var piece : pieces) {
      if (copied == room) {
        break;
      }
      int most = piece instanceof Lent ? Math.min(COPIED, room - copied) : room - copied;
      int count = (int) Math.min(most, piece.length() - from);
      piece.copy(from, into, copied, count);
      copied += count;
      if (from + count < piece.length()) {
        break;
      }
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
      long head = pieces.peek().length() - offset;
      if (left < head) {
        offset += left;
        return;
      }
      left -= head;
      offset = 0;
      switch (pieces.poll()) {
        case Lent whole -> whole.lease().release();
        case Bytes whole -> heap -= whole.length() + APIECE;
      }
    }
  }
}

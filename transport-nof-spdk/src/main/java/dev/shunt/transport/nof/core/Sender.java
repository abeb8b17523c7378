package dev.shunt.transport.nof.core;

import java.lang.foreign.MemorySegment;

/**
 * What goes out on a stream, in order: headers and small data from a ring of its own, other data
 * straight from where it lies. Bounded; whoever adds asks first whether it {@link #fits}.
 */
public final class Sender {
  /** Bytes of the ring. */
  static final int RING = 16 * 1024;

  private static final int PIECES = 192;

  private final MemorySegment ring;
  private final MemorySegment[] memory = new MemorySegment[PIECES];
  private final long[] offset = new long[PIECES];
  private final long[] length = new long[PIECES];
  private final boolean[] fresh = new boolean[PIECES];
  private int first;
  private int pieces;
  private int head;
  private int tail;
  private long written;
  private long position;

  Sender(MemorySegment ring) {
    this.ring = ring;
  }

  /** Whether one run of so many bytes in the ring, and so many pieces, would be taken. */
  boolean fits(int bytes, int more) {
    return pieces + more <= PIECES && place(bytes) >= 0;
  }

  private int place(int bytes) {
    if (head >= tail) {
      if (RING - head >= bytes) {
        return head;
      }
      return tail > bytes ? 0 : -1;
    }
    return tail - head > bytes ? head : -1;
  }

  /** Where in the ring the next bytes go; they count from {@link #staged} on. */
  int reserve(int bytes) {
    int at = place(bytes);
    if (at < 0) {
      throw new IllegalStateException(bytes + " bytes do not fit");
    }
    return at;
  }

  MemorySegment ring() {
    return ring;
  }

  /**
   * Bytes of the ring are ready.
   *
   * @param starts whether a PDU begins with them
   */
  void staged(int at, int bytes, boolean starts) {
    int last = (first + pieces - 1) % PIECES;
    if (pieces > 0 && memory[last] == ring && offset[last] + length[last] == at) {
      length[last] += bytes;
    } else {
      add(ring, at, bytes, starts);
    }
    head = at + bytes;
    position += bytes;
  }

  /** Bytes elsewhere, to stay as they are until they are sent. */
  void outside(MemorySegment from, long at, long bytes) {
    add(from, at, bytes, false);
    position += bytes;
  }

  private void add(MemorySegment from, long at, long bytes, boolean starts) {
    int place = (first + pieces) % PIECES;
    memory[place] = from;
    offset[place] = at;
    length[place] = bytes;
    fresh[place] = starts;
    pieces++;
  }

  /** Bytes to be sent next, one run of them; 0 if there is nothing. */
  public long pending() {
    return pieces == 0 ? 0 : length[first];
  }

  /** Where they lie. */
  public MemorySegment memory() {
    return memory[first];
  }

  /** Where they begin. */
  public long offset() {
    return offset[first];
  }

  /** So many of them were taken by the stream. */
  public void sent(long bytes) {
    if (bytes <= 0) {
      return;
    }
    written += bytes;
    if (memory[first] == ring) {
      tail = (int) (offset[first] + bytes);
    }
    offset[first] += bytes;
    length[first] -= bytes;
    fresh[first] = false;
    if (length[first] == 0) {
      memory[first] = null;
      first = (first + 1) % PIECES;
      pieces--;
    }
    if (pieces == 0) {
      head = 0;
      tail = 0;
    }
  }

  /** Bytes that the stream took, ever. */
  long written() {
    return written;
  }

  /** Bytes that were added, ever: where the next one will stand in the stream. */
  long position() {
    return position;
  }

  /** Forgets what was not sent. Whether the stream stands between two PDUs. */
  boolean drop() {
    boolean between = pieces == 0 || fresh[first];
    while (pieces > 0) {
      memory[first] = null;
      first = (first + 1) % PIECES;
      pieces--;
    }
    head = 0;
    tail = 0;
    position = written;
    return between;
  }
}

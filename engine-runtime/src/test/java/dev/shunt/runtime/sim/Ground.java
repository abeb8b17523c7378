package dev.shunt.runtime.sim;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A node's memory, beside what must be in it. Other nodes may reach the first part; the rest is for
 * the node's own requests. A byte that a write of unknown end may still change is tainted, and not
 * looked at until its buffer is registered anew or its process is another one.
 */
final class Ground {
  static final int SHARED = 0;
  static final int SHARED_LENGTH = 24 << 10;
  static final int SWING = SHARED + SHARED_LENGTH;
  static final int SWING_LENGTH = 8 << 10;
  static final int GUARDED = SWING + SWING_LENGTH;
  static final int GUARDED_LENGTH = 4 << 10;

  /** Where others reach no further. */
  static final int REACHED = GUARDED + GUARDED_LENGTH;

  static final int LOCAL = 40 << 10;
  static final int CHUNK = 512;
  private static final int CHUNKS = (Slab.SHARE - LOCAL) / CHUNK;

  private final MemorySegment memory;
  private final byte[] expectedBytes = new byte[REACHED];
  private final MemorySegment expected = MemorySegment.ofArray(expectedBytes);
  private final byte[] tainted = new byte[REACHED];
  private final List<Piece> unsettled = new ArrayList<>();
  private final boolean[] used = new boolean[CHUNKS];
  private final List<Piece> writes = new ArrayList<>();
  private final List<Piece> reads = new ArrayList<>();

  Ground(MemorySegment memory) {
    this.memory = memory;
  }

  MemorySegment memory() {
    return memory;
  }

  MemorySegment range(int at, int length) {
    return memory.asSlice(at, length);
  }

  /** The memory of a new process: only who knows no generation still means it. */
  void renew(long version) {
    Arrays.fill(used, false);
    clean(0, REACHED, version);
    writes.removeIf(piece -> piece.generation != 0);
    reads.removeIf(piece -> piece.generation != 0);
  }

  /** Gives a range, that nothing can reach any more, a new content. */
  void clean(int at, int length, long version) {
    Pattern.fill(memory, at, length, version);
    MemorySegment.copy(memory, at, expected, at, length);
    Arrays.fill(tainted, at, at + length, (byte) 0);
    // What was applied before, and is told later, is not there any more.
    for (var piece : writes) {
      piece.disturbed |= piece.overlaps(at, length);
    }
    disturbReads(at, length);
    unsettled.removeIf(piece -> piece.overlaps(at, length));
  }

  // ---- the node's own requests

  /** Local memory for a request, or -1. */
  int take(int length, int start) {
    int wanted = Math.max(1, (length + CHUNK - 1) / CHUNK);
    int run = 0;
    for (int i = 0; i < CHUNKS; i++) {
      int chunk = (start + i) % CHUNKS;
      run = chunk == 0 ? 0 : run;
      run = used[chunk] ? 0 : run + 1;
      if (run == wanted) {
        int first = chunk - wanted + 1;
        Arrays.fill(used, first, chunk + 1, true);
        return LOCAL + first * CHUNK;
      }
    }
    return -1;
  }

  /** Takes local memory back. */
  void give(int at, int length) {
    int first = (at - LOCAL) / CHUNK;
    int wanted = Math.max(1, (length + CHUNK - 1) / CHUNK);
    Arrays.fill(used, first, first + wanted, false);
  }

  // ---- others' requests

  /** Whether no write is open there. */
  boolean quiet(int at, int length) {
    for (var piece : writes) {
      if (piece.overlaps(at, length)) {
        return false;
      }
    }
    return true;
  }

  void begin(Piece piece) {
    if (piece.write) {
      writes.add(piece);
      disturbReads(piece.at, piece.length);
    } else {
      reads.add(piece);
      piece.disturbed |= !quiet(piece.at, piece.length) || anyTainted(piece.at, piece.length);
    }
  }

  void end(Piece piece) {
    piece.open = false;
    (piece.write ? writes : reads).remove(piece);
  }

  private void disturbReads(int at, int length) {
    for (var read : reads) {
      read.disturbed |= read.overlaps(at, length);
    }
  }

  /** A write of unknown end. */
  private void taint(int at, int length) {
    for (int i = at; i < at + length; i++) {
      tainted[i] = tainted[i] == 0 ? 1 : tainted[i];
    }
    disturbReads(at, length);
  }

  /** A write of unknown end, until it has settled. */
  void taint(Piece piece) {
    taint(piece.at, piece.length);
    unsettled.add(piece);
  }

  /**
   * A write of unknown end has settled, and its old links are fenced: what is there now stays. But
   * for what another one may still change, and what was damaged or is nobody's to say.
   */
  void settled(Piece piece) {
    if (!unsettled.remove(piece) || piece.disturbed) {
      return;
    }
    for (var other : writes) {
      // It may have been written over while this one had not settled.
      other.disturbed |= other.overlaps(piece.at, piece.length);
    }
    for (int i = piece.at; i < piece.at + piece.length; i++) {
      if (tainted[i] == 1 && !unsettledAt(i)) {
        tainted[i] = 0;
        expectedBytes[i] = memory.get(ValueLayout.JAVA_BYTE, i);
      }
    }
  }

  private boolean unsettledAt(int at) {
    for (var piece : unsettled) {
      if (piece.overlaps(at, 1)) {
        return true;
      }
    }
    return false;
  }

  /** Nobody can tell when it is over. */
  void taintForGood(int at, int length) {
    taint(at, length);
    Arrays.fill(tainted, at, at + length, (byte) 2);
  }

  boolean anyTainted(int at, int length) {
    for (int i = at; i < at + length; i++) {
      if (tainted[i] != 0) {
        return true;
      }
    }
    return false;
  }

  /** Data between two nodes was damaged on its way, unseen: nothing is known of what is open. */
  void damaged(Place from) {
    for (var piece : List.copyOf(writes)) {
      if (piece.from == from) {
        piece.disturbed = true;
        taintForGood(piece.at, piece.length);
      }
    }
    for (var piece : reads) {
      piece.disturbed |= piece.from == from;
    }
  }

  /** Whether each byte may be written now: by a write that is open, or one of unknown end. */
  boolean mayChange(int at, int length, long generation) {
    for (var piece : writes) {
      if (piece.means(generation) && piece.at <= at && at + length <= piece.at + piece.length) {
        return true;
      }
    }
    for (int i = at; i < at + length; i++) {
      if (tainted[i] == 0 && !openAt(i, generation)) {
        return false;
      }
    }
    return true;
  }

  private boolean openAt(int at, long generation) {
    for (var piece : writes) {
      if (piece.means(generation) && piece.at <= at && at < piece.at + piece.length) {
        return true;
      }
    }
    return false;
  }

  /**
   * A write is COMPLETED.
   *
   * @return whether its bytes are there
   */
  boolean applied(Piece piece, MemorySegment source) {
    boolean same =
        MemorySegment.mismatch(
                source,
                piece.localAt,
                piece.localAt + piece.length,
                memory,
                piece.at,
                piece.at + piece.length)
            < 0;
    MemorySegment.copy(memory, piece.at, expected, piece.at, piece.length);
    return same || anyTainted(piece.at, piece.length);
  }

  /** Whether a read brought what is there. */
  boolean brought(Piece piece, MemorySegment sink) {
    return piece.disturbed
        || MemorySegment.mismatch(
                sink,
                piece.localAt,
                piece.localAt + piece.length,
                memory,
                piece.at,
                piece.at + piece.length)
            < 0;
  }

  /** The first byte that changed and should not have; -1 if there is none. */
  int changed(int from, int length) {
    int at = from;
    int end = from + length;
    while (at < end) {
      long mismatch = MemorySegment.mismatch(memory, at, end, expected, at, end);
      if (mismatch < 0) {
        return -1;
      }
      at += (int) mismatch;
      if (tainted[at] == 0 && quiet(at, 1)) {
        return at;
      }
      at++;
    }
    return -1;
  }

  /** What a byte is, and should be, for messages. */
  String at(int at) {
    return Integer.toHexString(memory.get(ValueLayout.JAVA_BYTE, at) & 0xff)
        + ", expected "
        + Integer.toHexString(expectedBytes[at] & 0xff);
  }
}

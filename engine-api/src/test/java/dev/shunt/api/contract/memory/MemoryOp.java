package dev.shunt.api.contract.memory;

import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Regions.Refusal;
import dev.shunt.api.spi.Slice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What a channel carries: made once for each of its places, and used again. */
final class MemoryOp {
  private byte[] bytes = new byte[0];
  Slice slice;
  boolean write;
  LinkId fence;
  long address;
  long key;
  int length;
  int moved;
  boolean begun;
  Refusal refusal;
  boolean atRemote;

  void take(Slice posted) {
    slice = posted;
    fence = null;
    write = posted.write();
    address = posted.remoteAddress();
    key = posted.remoteKey();
    length = (int) posted.length();
    reset();
    if (bytes.length < length + 1) {
      bytes = new byte[length + 1];
    }
    if (write) {
      sendFrom(posted);
    }
  }

  void take(LinkId stale) {
    slice = null;
    fence = stale;
    reset();
  }

  private void reset() {
    moved = 0;
    begun = false;
    atRemote = false;
    refusal = Refusal.NONE;
  }

  void sendFrom(Slice posted) {
    MemorySegment.copy(posted.memory(), ValueLayout.JAVA_BYTE, posted.offset(), bytes, 0, length);
  }

  void apply(MemorySegment memory, long offset, int n) {
    if (write) {
      MemorySegment.copy(bytes, moved, memory, ValueLayout.JAVA_BYTE, offset + moved, n);
    } else {
      MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset + moved, bytes, moved, n);
    }
    moved += n;
  }

  void receiveInto(Slice posted) {
    MemorySegment.copy(bytes, 0, posted.memory(), ValueLayout.JAVA_BYTE, posted.offset(), length);
  }
}

package dev.shunt.transport.tcp;

import dev.shunt.transport.tcp.core.FrameBuffer;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;

/**
 * Staging memory of one lane's streams. Freed with the lane; never more than its streams had at one
 * time. Owned by the lane, though not always by the same thread, so the arena is not a confined
 * one.
 */
final class StagingPool {
  private static final int ALIGNMENT = 64;

  private final Arena arena = Arena.ofAuto();
  private final ArrayDeque<FrameBuffer> free = new ArrayDeque<>();
  private final int size;
  private int made;

  StagingPool(int size) {
    this.size = size;
  }

  FrameBuffer take() {
    var buffer = free.poll();
    if (buffer != null) {
      return buffer;
    }
    made++;
    return new FrameBuffer(arena.allocate(size, ALIGNMENT));
  }

  /** How many buffers there are, free or not. */
  int made() {
    return made;
  }

  void give(FrameBuffer buffer) {
    free.push(buffer);
  }
}

package dev.shunt.transport.rdma;

import dev.shunt.api.spi.RawFrame;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Slots for frames: memory of our own, registered in one piece. The supervisor makes and frees. */
final class NotifySlab {
  static final int SLOT = RawFrame.MAX;
  private static final int PAGE = 4096;

  private final Arena arena;
  private final MemorySegment memory;
  private final VerbsRegion region;
  private final int lkey;
  private final int slots;

  private NotifySlab(Arena arena, MemorySegment memory, VerbsRegion region, int slots) {
    this.arena = arena;
    this.memory = memory;
    this.region = region;
    this.slots = slots;
    lkey = region.lkey();
  }

  /**
   * Makes some.
   *
   * @throws VerbsException if the memory cannot be registered
   */
  static NotifySlab make(RdmaDevice device, int slots) {
    var arena = Arena.ofShared();
    try {
      var memory = arena.allocate((long) slots * SLOT, PAGE);
      var region = device.verbs().register(memory, Verbs.ACCESS_LOCAL_WRITE);
      return new NotifySlab(arena, memory, region, slots);
    } catch (VerbsException e) {
      arena.close();
      throw e;
    }
  }

  int slots() {
    return slots;
  }

  int lkey() {
    return lkey;
  }

  MemorySegment slot(int index) {
    return memory.asSlice((long) index * SLOT, SLOT);
  }

  /** Frees it, once no QP uses it. Memory that its device does not let go of stays. */
  int close() {
    int error = region.close();
    if (error == 0) {
      arena.close();
    }
    return error;
  }
}

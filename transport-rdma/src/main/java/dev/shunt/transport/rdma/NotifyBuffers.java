package dev.shunt.transport.rdma;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Slots of several slabs, numbered in the order in which they came. A lane's. */
final class NotifyBuffers {
  private final List<MemorySegment> slots = new ArrayList<>();
  private final List<NotifySlab> slabs = new ArrayList<>();

  /** Adds all of a slab. */
  void add(NotifySlab slab) {
    for (int i = 0; i < slab.slots(); i++) {
      slots.add(slab.slot(i));
      slabs.add(slab);
    }
  }

  int size() {
    return slots.size();
  }

  MemorySegment slot(int slot) {
    return slots.get(slot);
  }

  int lkey(int slot) {
    return slabs.get(slot).lkey();
  }
}

package dev.shunt.transport.nof.core;

import java.lang.foreign.MemorySegment;

/** The commands that a queue can hold: which are free, and which are under way, oldest first. */
final class SlotTable {
  private final Slot[] slots;
  private final Slot[] free;
  private int frees;
  private Slot oldest;
  private Slot newest;

  SlotTable(int size, MemorySegment entries) {
    slots = new Slot[size];
    free = new Slot[size];
    for (int i = 0; i < size; i++) {
      slots[i] = new Slot(i, entries);
      free[size - 1 - i] = slots[i];
    }
    frees = size;
  }

  int free() {
    return frees;
  }

  int busy() {
    return slots.length - frees;
  }

  /** The command that has been under way the longest, or null. */
  Slot oldest() {
    return oldest;
  }

  Slot take(Object owner) {
    var slot = free[--frees];
    free[frees] = null;
    slot.begin(owner);
    return slot;
  }

  /** From here on it is under way. */
  void issue(Slot slot) {
    slot.older = newest;
    slot.newer = null;
    if (newest == null) {
      oldest = slot;
    } else {
      newest.newer = slot;
    }
    newest = slot;
  }

  /** It is over. */
  Object release(Slot slot) {
    if (slot.older == null) {
      oldest = slot.newer;
    } else {
      slot.older.newer = slot.newer;
    }
    if (slot.newer == null) {
      newest = slot.older;
    } else {
      slot.newer.older = slot.older;
    }
    slot.older = null;
    slot.newer = null;
    var owner = slot.owner;
    slot.owner = null;
    slot.memory = null;
    free[frees++] = slot;
    return owner;
  }

  /** The command that a target speaks of, if it is under way and was made into a PDU; or null. */
  Slot find(int commandId) {
    int index = Slot.index(commandId);
    if (index >= slots.length) {
      return null;
    }
    var slot = slots[index];
    boolean known = slot.owner != null && slot.encoded && !slot.ended;
    return known && slot.commandId() == commandId ? slot : null;
  }

  /** One that has ended, and whose bytes are out by now; or null. */
  Slot lingering(long written) {
    for (var slot = oldest; slot != null; slot = slot.newer) {
      if (slot.ended && written >= slot.endAt) {
        return slot;
      }
    }
    return null;
  }
}

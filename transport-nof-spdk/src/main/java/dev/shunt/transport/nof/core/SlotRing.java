package dev.shunt.transport.nof.core;

/** Slots that wait their turn; never more than there are. */
final class SlotRing {
  private final Slot[] slots;
  private int first;
  private int size;

  SlotRing(int capacity) {
    slots = new Slot[capacity];
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(Slot slot) {
    if (size == slots.length) {
      throw new IllegalStateException("more slots wait than there are");
    }
    slots[(first + size) % slots.length] = slot;
    size++;
  }

  Slot first() {
    return slots[first];
  }

  void removeFirst() {
    slots[first] = null;
    first = (first + 1) % slots.length;
    size--;
  }

  /** Takes one out, wherever it stands. */
  void remove(Slot slot) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      var other = slots[(first + i) % slots.length];
      if (other != slot) {
        slots[(first + kept) % slots.length] = other;
        kept++;
      }
    }
    for (int i = kept; i < size; i++) {
      slots[(first + i) % slots.length] = null;
    }
    size = kept;
  }

  void clear() {
    while (size > 0) {
      removeFirst();
    }
  }
}

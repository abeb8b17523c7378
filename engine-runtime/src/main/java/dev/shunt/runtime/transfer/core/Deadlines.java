package dev.shunt.runtime.transfer.core;

import java.util.Arrays;

/**
 * The parts of a lane by deadline: a binary heap in which each part knows its place, so that one
 * that ends early, as most do, leaves at once.
 */
public final class Deadlines {
  static final int NOWHERE = -1;

  private Part[] heap = new Part[64];
  private int size;

  /** How many wait. */
  public int size() {
    return size;
  }

  /** Takes a part in. */
  public void add(Part part) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    size++;
    up(size - 1, part);
  }

  /** Lets a part go; does nothing if it is not there. */
  public void remove(Part part) {
    var place = part.place;
    if (place == NOWHERE) {
      return;
    }
    part.place = NOWHERE;
    var last = heap[--size];
    heap[size] = null;
    if (place < size) {
      up(place, last);
      if (heap[place] == last) {
        down(place, last);
      }
    }
  }

  /** The earliest deadline; {@link Long#MAX_VALUE} if nothing waits. */
  public long first() {
    return size == 0 ? Long.MAX_VALUE : heap[0].deadline;
  }

  /** Takes out a part whose deadline has come, or gives null. */
  public Part due(long now) {
    if (size == 0 || heap[0].deadline - now > 0) {
      return null;
    }
    var part = heap[0];
    remove(part);
    return part;
  }

  private void up(int from, Part part) {
    int place = from;
    while (place > 0) {
      var parent = (place - 1) >>> 1;
      if (heap[parent].compareTo(part) <= 0) {
        break;
      }
      put(place, heap[parent]);
      place = parent;
    }
    put(place, part);
  }

  private void down(int from, Part part) {
    int place = from;
    while (true) {
      var child = 2 * place + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && heap[child + 1].compareTo(heap[child]) < 0) {
        child++;
      }
      if (part.compareTo(heap[child]) <= 0) {
        break;
      }
      put(place, heap[child]);
      place = child;
    }
    put(place, part);
  }

  private void put(int place, Part part) {
    heap[place] = part;
    part.place = place;
  }
}

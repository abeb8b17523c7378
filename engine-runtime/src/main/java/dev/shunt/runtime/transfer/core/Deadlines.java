package dev.shunt.runtime.transfer.core;

import java.util.Arrays;

/**
 * What waits for a time on a lane, by that time: a binary heap in which each knows its place, so
 * that one that ends early, as most do, leaves at once.
 *
 * @param <T> what waits
 */
public final class Deadlines<T extends Timed> {
  static final int NOWHERE = -1;

  private Timed[] heap = new Timed[64];
  private int size;

  /** How many wait. */
  public int size() {
    return size;
  }

  /** One of those that wait, in no particular order. */
  @SuppressWarnings("unchecked")
  public T get(int place) {
    return (T) heap[place];
  }

  /** Takes one in. */
  public void add(T timed) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    size++;
    up(size - 1, timed);
  }

  /** Sets when one is due that is not due by then anyway; takes it in where it is not. */
  public void advance(T timed, long deadline) {
    if (timed.place == NOWHERE) {
      timed.deadline = deadline;
      add(timed);
    } else if (deadline - timed.deadline < 0) {
      timed.deadline = deadline;
      up(timed.place, timed);
    }
  }

  /** Lets one go; does nothing if it is not there. */
  public void remove(Timed timed) {
    var place = timed.place;
    if (place == NOWHERE) {
      return;
    }
    timed.place = NOWHERE;
    var last = heap[--size];
    heap[size] = null;
    if (place < size) {
      up(place, last);
      if (heap[place] == last) {
        down(place, last);
      }
    }
  }

  /** The earliest time; {@link Long#MAX_VALUE} if nothing waits. */
  public long first() {
    return size == 0 ? Long.MAX_VALUE : heap[0].deadline;
  }

  /** Takes out one whose time has come, or gives null. */
  public T due(long now) {
    if (size == 0 || heap[0].deadline - now > 0) {
      return null;
    }
    var timed = get(0);
    remove(timed);
    return timed;
  }

  private void up(int from, Timed timed) {
    int place = from;
    while (place > 0) {
      var parent = (place - 1) >>> 1;
      if (!timed.before(heap[parent])) {
        break;
      }
      put(place, heap[parent]);
      place = parent;
    }
    put(place, timed);
  }

  private void down(int from, Timed timed) {
    int place = from;
    while (true) {
      var child = 2 * place + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && heap[child + 1].before(heap[child])) {
        child++;
      }
      if (timed.before(heap[child])) {
        break;
      }
      put(place, heap[child]);
      place = child;
    }
    put(place, timed);
  }

  private void put(int place, Timed timed) {
    heap[place] = timed;
    timed.place = place;
  }
}

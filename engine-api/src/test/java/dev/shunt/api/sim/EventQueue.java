package dev.shunt.api.sim;

import java.util.Arrays;

/** Events by time, then by their tie-break; a binary heap whose events know their place. */
final class EventQueue {
  private Event[] heap = new Event[256];
  private int size;

  int size() {
    return size;
  }

  Event first() {
    return size == 0 ? null : heap[0];
  }

  void add(Event event) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    size++;
    up(size - 1, event);
  }

  void remove(Event event) {
    int place = event.place;
    event.place = -1;
    size--;
    Event last = heap[size];
    heap[size] = null;
    if (last == event) {
      return;
    }
    if (place > 0 && last.before(heap[(place - 1) >>> 1])) {
      up(place, last);
    } else {
      down(place, last);
    }
  }

  private void up(int start, Event event) {
    int place = start;
    while (place > 0) {
      int parent = (place - 1) >>> 1;
      Event other = heap[parent];
      if (!event.before(other)) {
        break;
      }
      put(place, other);
      place = parent;
    }
    put(place, event);
  }

  private void down(int start, Event event) {
    int place = start;
    int half = size >>> 1;
    while (place < half) {
      int child = 2 * place + 1;
      if (child + 1 < size && heap[child + 1].before(heap[child])) {
        child++;
      }
      if (!heap[child].before(event)) {
        break;
      }
      put(place, heap[child]);
      place = child;
    }
    put(place, event);
  }

  private void put(int place, Event event) {
    heap[place] = event;
    event.place = place;
  }
}

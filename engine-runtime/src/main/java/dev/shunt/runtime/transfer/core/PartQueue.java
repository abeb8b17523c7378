package dev.shunt.runtime.transfer.core;

import dev.shunt.api.Failure;
import java.util.ArrayDeque;

/**
 * The parts of a flow that have something to cut. The first has its turn until it has had a slice's
 * worth, or is all cut; then it is the next one's.
 */
final class PartQueue {
  private final ArrayDeque<Part> parts = new ArrayDeque<>();
  private final long worth;

  /** Bytes that the first has had of its turn. */
  private long turn;

  /**
   * An empty queue.
   *
   * @param worth how many bytes a turn is worth
   */
  PartQueue(long worth) {
    this.worth = worth;
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  int size() {
    return parts.size();
  }

  void add(Part part) {
    part.inQueue = true;
    parts.add(part);
  }

  /** Whose turn it is, or null. Those go that have nothing to cut any more. */
  Part first() {
    Part part;
    while ((part = parts.peek()) != null && part.next() == null) {
      removeFirst();
    }
    return part;
  }

  /** The first had a slice cut. */
  void cut(long bytes) {
    turn += bytes;
    // Out of the queue as soon as all of it is cut: it may end before the queue is seen again.
    if (parts.peek().next() == null) {
      removeFirst();
    } else if (turn >= worth && parts.size() > 1) {
      parts.add(parts.poll());
      turn = 0;
    }
  }

  /** The first lets another one go before it; false if there is none. */
  boolean passBy() {
    if (parts.size() < 2) {
      return false;
    }
    parts.add(parts.poll());
    turn = 0;
    return true;
  }

  private void removeFirst() {
    parts.poll().inQueue = false;
    turn = 0;
  }

  /** Takes the first out, or gives null. */
  Part poll() {
    var part = parts.poll();
    if (part != null) {
      part.inQueue = false;
      turn = 0;
    }
    return part;
  }

  /** Ends all that are in it. */
  void failAll(Failure failure, Endings endings) {
    Part part;
    while ((part = parts.poll()) != null) {
      part.inQueue = false;
      endings.fail(part, failure);
    }
  }
}

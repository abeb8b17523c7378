package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Slice;

/**
 * What was posted on a stream, from the oldest that is unanswered to the next one. Each thing has a
 * position; those that are staged for the wire belong to a frame, several adjacent slices to one.
 * Positions and frames count from 1 and have places in rings.
 */
final class Requests {
  private final Slice[] slices;
  private final LinkId[] fences;
  private final boolean[] alone;
  private final long[] firstOf;
  private final long[] lengthOf;
  private final long[] headerAt;
  private final int mask;
  private final long mergeLimit;

  private long oldest = 1;
  private long unstaged = 1;
  private long next = 1;
  private long oldestFrame = 1;
  private long nextFrame = 1;

  /**
   * A ring.
   *
   * @param depth the most that is unanswered
   * @param mergeLimit the longest payload of several slices together
   */
  Requests(int depth, long mergeLimit) {
    this.mergeLimit = mergeLimit;
    int capacity = Integer.highestOneBit(Math.max(1, depth - 1)) << 1;
    slices = new Slice[capacity];
    fences = new LinkId[capacity];
    alone = new boolean[capacity];
    firstOf = new long[capacity];
    lengthOf = new long[capacity];
    headerAt = new long[capacity];
    mask = capacity - 1;
  }

  /** How much is unanswered, sent or not. */
  long size() {
    return next - oldest;
  }

  void add(Slice slice) {
    place(slice, null, false);
  }

  void add(LinkId fence) {
    place(null, fence, false);
  }

  void addPing() {
    place(null, null, false);
  }

  private void place(Slice slice, LinkId fence, boolean byItself) {
    int at = (int) next & mask;
    slices[at] = slice;
    fences[at] = fence;
    alone[at] = byItself;
    next++;
  }

  // What is to be sent.

  boolean hasUnstaged() {
    return unstaged < next;
  }

  /** The slice that is to be sent next, or its fence if there is none, or a ping if neither. */
  Slice nextSlice() {
    return slices[(int) unstaged & mask];
  }

  LinkId nextFence() {
    return fences[(int) unstaged & mask];
  }

  /** How many slices, the next one and those after it, go into one frame. */
  int run() {
    var first = nextSlice();
    if (first == null || alone[(int) unstaged & mask]) {
      return 1;
    }
    long length = first.length();
    int count = 1;
    for (long at = unstaged + 1; at < next; at++) {
      var slice = slices[(int) at & mask];
      if (slice == null
          || alone[(int) at & mask]
          || length + slice.length() > mergeLimit
          || !follows(slice, first, length)) {
        break;
      }
      length += slice.length();
      count++;
    }
    return count;
  }

  private static boolean follows(Slice slice, Slice first, long length) {
    return slice.write() == first.write()
        && slice.memory() == first.memory()
        && slice.offset() == first.offset() + length
        && slice.remoteAddress() == first.remoteAddress() + length
        && slice.remoteKey() == first.remoteKey();
  }

  /** The bytes of the next so many slices. */
  long bytes(int count) {
    long length = 0;
    for (int i = 0; i < count; i++) {
      var slice = slices[(int) (unstaged + i) & mask];
      length += slice == null ? 0 : slice.length();
    }
    return length;
  }

  /** The id of the frame that is staged next. */
  long nextFrame() {
    return nextFrame;
  }

  /**
   * Puts the next so many things into a frame.
   *
   * @param at where its header begins in the stream
   */
  void staged(int count, long length, long at) {
    int frame = (int) nextFrame & mask;
    firstOf[frame] = unstaged;
    lengthOf[frame] = length;
    headerAt[frame] = at;
    unstaged += count;
    nextFrame++;
  }

  // What is answered.

  long oldestFrame() {
    return oldestFrame;
  }

  boolean hasFrames() {
    return oldestFrame < nextFrame;
  }

  /** The first slice of the oldest frame; null for a fence and a ping. */
  Slice first() {
    return slices[(int) oldest & mask];
  }

  long oldestLength() {
    return lengthOf[(int) oldestFrame & mask];
  }

  /** How many slices the oldest frame has. */
  int oldestCount() {
    long end = oldestFrame + 1 < nextFrame ? firstOf[(int) (oldestFrame + 1) & mask] : unstaged;
    return (int) (end - oldest);
  }

  /** The oldest frame is answered: what it holds is taken next. */
  void frameDone() {
    oldestFrame++;
  }

  /** Takes the oldest out; null for a fence and a ping. */
  Slice take() {
    int at = (int) oldest & mask;
    var slice = slices[at];
    slices[at] = null;
    fences[at] = null;
    oldest++;
    return slice;
  }

  /** Puts a slice back, to be sent once more in a frame of its own. */
  void again(Slice slice) {
    place(slice, null, true);
  }

  /** Whether so much of the stream has all of the oldest frame's header; none may be staged. */
  boolean handedOver(long written) {
    return hasFrames() && headerAt[(int) oldestFrame & mask] + Frame.HEADER <= written;
  }

  @Override
  public String toString() {
    return oldestFrame + " to " + (nextFrame - 1) + " are unanswered";
  }
}

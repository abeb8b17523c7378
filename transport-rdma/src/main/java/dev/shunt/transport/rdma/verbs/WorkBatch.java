package dev.shunt.transport.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Signalled work requests with one local range each, that go to a QP together: laid out once as
 * verbs want them, and rewritten in place. One call, and one ring of the device's bell, takes them
 * all. Owned by one thread; allocates nothing after its making.
 */
public final class WorkBatch {
  private final int capacity;
  private final MemorySegment requests;
  private final MemorySegment ranges;
  private int size;
  private int posted;

  /** An empty one with room for so many. */
  public WorkBatch(int capacity) {
    this.capacity = capacity;
    var arena = Arena.ofAuto();
    requests = arena.allocate(capacity * Layouts.SEND_WR_SIZE, 8);
    ranges = arena.allocate(capacity * Layouts.SGE_SIZE, 8);
    for (int i = 0; i < capacity; i++) {
      requests.set(
          ADDRESS,
          i * Layouts.SEND_WR_SIZE + Layouts.SEND_WR_SG_LIST,
          ranges.asSlice(i * Layouts.SGE_SIZE));
      requests.set(JAVA_INT, i * Layouts.SEND_WR_SIZE + Layouts.SEND_WR_NUM_SGE, 1);
      requests.set(
          JAVA_INT, i * Layouts.SEND_WR_SIZE + Layouts.SEND_WR_SEND_FLAGS, Layouts.SEND_SIGNALED);
    }
  }

  /** How many it takes. */
  public int capacity() {
    return capacity;
  }

  /** How many it has. */
  public int size() {
    return size;
  }

  /** How many of them the last {@link VerbsQp#post(WorkBatch)} posted: all, if it answered 0. */
  public int posted() {
    return posted;
  }

  /** Adds one; there must be room. */
  public void add(
      long wrId,
      int opcode,
      long localAddress,
      int lkey,
      int length,
      long remoteAddress,
      int rkey) {
    long request = size * Layouts.SEND_WR_SIZE;
    long range = size * Layouts.SGE_SIZE;
    ranges.set(JAVA_LONG, range + Layouts.SGE_ADDR, localAddress);
    ranges.set(JAVA_INT, range + Layouts.SGE_LENGTH, length);
    ranges.set(JAVA_INT, range + Layouts.SGE_LKEY, lkey);
    requests.set(JAVA_LONG, request + Layouts.SEND_WR_WR_ID, wrId);
    requests.set(JAVA_INT, request + Layouts.SEND_WR_OPCODE, opcode);
    requests.set(JAVA_LONG, request + Layouts.SEND_WR_REMOTE_ADDR, remoteAddress);
    requests.set(JAVA_INT, request + Layouts.SEND_WR_RKEY, rkey);
    if (size > 0) {
      long before = request - Layouts.SEND_WR_SIZE;
      requests.set(JAVA_LONG, before + Layouts.SEND_WR_NEXT, requests.address() + request);
    }
    size++;
  }

  /** Empties it. */
  public void clear() {
    size = 0;
    posted = 0;
  }

  /** The last one has no next. */
  void close() {
    long last = (size - 1) * Layouts.SEND_WR_SIZE;
    requests.set(JAVA_LONG, last + Layouts.SEND_WR_NEXT, 0);
  }

  MemorySegment requests() {
    return requests;
  }

  void posted(int count) {
    posted = count;
  }

  /** The place of the request at an address: the one that a device did not take. */
  int place(long address) {
    long offset = address - requests.address();
    return offset < 0 || offset >= size * Layouts.SEND_WR_SIZE
        ? 0
        : (int) (offset / Layouts.SEND_WR_SIZE);
  }

  /** Posts one after the other, for a QP that takes them so. */
  int postEach(VerbsQp qp) {
    posted = 0;
    for (int i = 0; i < size; i++) {
      long request = i * Layouts.SEND_WR_SIZE;
      long range = i * Layouts.SGE_SIZE;
      int error =
          qp.post(
              requests.get(JAVA_LONG, request + Layouts.SEND_WR_WR_ID),
              requests.get(JAVA_INT, request + Layouts.SEND_WR_OPCODE),
              ranges.get(JAVA_LONG, range + Layouts.SGE_ADDR),
              ranges.get(JAVA_INT, range + Layouts.SGE_LKEY),
              ranges.get(JAVA_INT, range + Layouts.SGE_LENGTH),
              requests.get(JAVA_LONG, request + Layouts.SEND_WR_REMOTE_ADDR),
              requests.get(JAVA_INT, request + Layouts.SEND_WR_RKEY));
      if (error != 0) {
        return error;
      }
      posted++;
    }
    return 0;
  }
}

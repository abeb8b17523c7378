package dev.shunt.transport.rdma.testing;

import dev.shunt.api.sim.Turn;
import dev.shunt.transport.rdma.verbs.AsyncEvents;
import dev.shunt.transport.rdma.verbs.VerbsCq;

/**
 * A completion queue: wakes the turn that polls it, or all of its process as long as none did, and
 * breaks when it is overrun.
 */
final class SoftCq implements VerbsCq {
  private static final int BATCH = 16;

  private final SoftDevice device;
  private final int depth;
  private final long[] ids;
  private final int[] statuses;
  private final int[] numbers;
  private final int[] lengths;
  private int first;
  private int size;
  private int batch;
  private Turn poller;
  private boolean overrun;

  SoftCq(SoftDevice device, int depth) {
    this.device = device;
    this.depth = depth;
    ids = new long[depth + BATCH];
    statuses = new int[depth + BATCH];
    numbers = new int[depth + BATCH];
    lengths = new int[depth + BATCH];
  }

  void push(long wrId, int status, int qpNumber, int length) {
    if (device.dead() || device.broken() || overrun) {
      return;
    }
    if (size == depth) {
      overrun = true;
      device.event(AsyncEvents.CQ_ERR, 0);
      return;
    }
    int place = (first + size++) % ids.length;
    ids[place] = wrId;
    statuses[place] = status;
    numbers[place] = qpNumber;
    lengths[place] = length;
    if (poller != null) {
      poller.wake();
    } else {
      device.process().wake();
    }
  }

  /** A QP is destroyed, and takes with it what of its work was not polled. */
  void forget(int qpNumber) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      int from = (first + i) % ids.length;
      if (numbers[from] != qpNumber) {
        int to = (first + kept++) % ids.length;
        ids[to] = ids[from];
        statuses[to] = statuses[from];
        numbers[to] = numbers[from];
        lengths[to] = lengths[from];
      }
    }
    size = kept;
  }

  /** It takes nothing any more, and gives nothing. */
  void overrun() {
    overrun = true;
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public boolean polled() {
    return false;
  }

  @Override
  public int poll() {
    if (overrun) {
      return -1;
    }
    var turn = device.fabric().world().current();
    poller = turn != null ? turn : poller;
    int count = Math.min(BATCH, size);
    batch = first;
    first = (first + count) % ids.length;
    size -= count;
    return count;
  }

  /** What was taken out stays where it was: there is room for a batch beside what it holds. */
  private int place(int index) {
    return (batch + index) % ids.length;
  }

  @Override
  public long wrId(int index) {
    return ids[place(index)];
  }

  @Override
  public int status(int index) {
    return statuses[place(index)];
  }

  @Override
  public int vendorError(int index) {
    int status = status(index);
    return status == 0 ? 0 : 0x80 + status;
  }

  @Override
  public int length(int index) {
    return lengths[place(index)];
  }

  @Override
  public int qpNumber(int index) {
    return numbers[place(index)];
  }

  @Override
  public int close() {
    device.queueClosed();
    return 0;
  }
}

package dev.shunt.transport.rdma.testing;

import dev.shunt.transport.rdma.verbs.AsyncEvents;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import java.util.ArrayDeque;

/** A completion queue; tells of each completion, and breaks when it is overrun. */
final class SoftCq implements VerbsCq {
  private static final int BATCH = 16;

  private record Completion(long wrId, int status, int qpNumber) {}

  private final SoftDevice device;
  private final int depth;
  private final Runnable ready;
  private final ArrayDeque<Completion> queue = new ArrayDeque<>();
  private final Completion[] polled = new Completion[BATCH];
  private boolean overrun;

  SoftCq(SoftDevice device, int depth, Runnable ready) {
    this.device = device;
    this.depth = depth;
    this.ready = ready;
  }

  void push(long wrId, int status, int qpNumber) {
    if (device.dead()) {
      return;
    }
    if (queue.size() == depth) {
      overrun = true;
      device.event(AsyncEvents.CQ_ERR, 0);
      return;
    }
    queue.add(new Completion(wrId, status, qpNumber));
    ready.run();
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
    int count = 0;
    while (count < BATCH && !queue.isEmpty()) {
      polled[count++] = queue.poll();
    }
    return count;
  }

  @Override
  public long wrId(int index) {
    return polled[index].wrId();
  }

  @Override
  public int status(int index) {
    return polled[index].status();
  }

  @Override
  public int vendorError(int index) {
    return polled[index].status() == 0 ? 0 : 0x80 + polled[index].status();
  }

  @Override
  public int qpNumber(int index) {
    return polled[index].qpNumber();
  }

  @Override
  public int close() {
    return 0;
  }
}

package dev.shunt.transport.nof;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.WireLoop;
import java.util.ArrayList;
import java.util.List;

/** The I/O qpairs of one lane, over a loop of its own. */
final class NofLane implements LaneDriver {
  private final WireLoop loop;
  private final LaneListener listener;
  private final List<NofChannel> channels = new ArrayList<>();
  private long nextLook = Long.MAX_VALUE;
  private boolean closed;

  NofLane(WireLoop loop, LaneListener listener) {
    this.loop = loop;
    this.listener = listener;
  }

  WireLoop loop() {
    return loop;
  }

  LaneListener listener() {
    return listener;
  }

  /** Makes a qpair. On the lane's thread, as everything below. */
  void connect(NofQueuePlan plan, long now) {
    if (closed) {
      listener.connectFailed(plan.request(), over());
      plan.controller().released(plan);
      return;
    }
    var channel = new NofChannel(plan, this, listener);
    channels.add(channel);
    channel.connect(now);
  }

  /** The controller of a qpair is over, and so is the qpair. */
  void down(NofQueuePlan plan, Fault cause, long now) {
    for (int i = 0; i < channels.size(); i++) {
      if (channels.get(i).plan() == plan) {
        channels.get(i).stop(cause, now);
      }
    }
  }

  /** A channel is over. */
  void gone(NofChannel channel) {
    channels.remove(channel);
    channel.plan().controller().released(channel.plan());
  }

  /** Wants {@link #work} at a time, or before. */
  void look(long time) {
    if (nextLook == Long.MAX_VALUE || time - nextLook < 0) {
      nextLook = time;
    }
  }

  @Override
  public int work(long now) {
    int done = loop.poll(now);
    if (nextLook != Long.MAX_VALUE && now - nextLook >= 0) {
      nextLook = Long.MAX_VALUE;
      done++;
      for (int i = channels.size() - 1; i >= 0; i--) {
        // A report may end other channels too.
        if (i < channels.size()) {
          channels.get(i).tick(now);
        }
      }
      for (int i = 0; i < channels.size(); i++) {
        long next = channels.get(i).nextDeadline();
        if (next != Long.MAX_VALUE) {
          look(next);
        }
      }
    }
    return done;
  }

  @Override
  public long nextDeadline() {
    return nextLook;
  }

  @Override
  public void park(long deadline) {
    loop.park(deadline);
  }

  @Override
  public void wake() {
    loop.wake();
  }

  @Override
  public void close(long now) {
    closed = true;
    while (!channels.isEmpty()) {
      var channel = channels.getLast();
      channel.stop(over(), now);
      channel.tick(now);
    }
    loop.close();
  }

  private static Fault over() {
    return new Fault(
        Fault.Blame.NEUTRAL, FailureCode.CLOSED, Fault.Effect.NONE, "the lane is closed");
  }
}

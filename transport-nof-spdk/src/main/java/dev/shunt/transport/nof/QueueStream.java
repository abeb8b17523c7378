package dev.shunt.transport.nof;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.transport.nof.core.Queue;
import java.net.InetSocketAddress;

/**
 * Moves a queue's bytes over a wire. What ends the stream is kept until {@link #settle}, which the
 * owner calls from its loop: so that no event comes out of a call that posts or retires.
 */
final class QueueStream implements WireHandler {
  private static final int READS = 64;

  private final Queue queue;
  private final String where;
  private Wire wire;
  private boolean connected;
  private Fault cause;

  QueueStream(Queue queue, String where) {
    this.queue = queue;
    this.where = where;
  }

  /** Begins to connect; the queue's clock runs from here on. */
  void connect(WireLoop loop, InetSocketAddress local, InetSocketAddress remote, long now) {
    queue.begin(now);
    try {
      wire = loop.connect(local, remote, this);
    } catch (TransportException e) {
      cause =
          new Fault(Fault.Blame.LOCAL, e.code(), Fault.Effect.NONE, where + ": " + e.getMessage());
    }
  }

  /** Whether something ended the stream. */
  boolean stopped() {
    return cause != null;
  }

  /** Ends the stream at once; the queue hears of it in {@link #settle}. */
  void stop(Fault fault) {
    if (cause == null) {
      cause = fault;
      if (wire != null) {
        wire.abort();
      }
    }
  }

  /** Tells the queue what ended the stream. */
  void settle(long now) {
    if (cause != null && !queue.isOver()) {
      queue.end(cause, now);
    }
  }

  @Override
  public void connected(Wire connectedWire, long now) {
    connected = true;
    queue.open(now);
    write(now);
    settle(now);
  }

  @Override
  public void readable(Wire from, long now) {
    try {
      read(from, now);
    } catch (WireException e) {
      stop(broke(e.getMessage()));
    }
    write(now);
    settle(now);
  }

  private void read(Wire from, long now) {
    var receiver = queue.receiver();
    for (int i = 0; i < READS && cause == null && !queue.isOver(); i++) {
      long wanted = receiver.wanted();
      long bytes = from.read(receiver.memory(), receiver.offset(), wanted);
      if (bytes < 0) {
        stop(broke("the target ended the connection"));
        return;
      }
      if (bytes > 0) {
        queue.received(bytes, now);
      }
      if (bytes < wanted) {
        return;
      }
    }
  }

  @Override
  public void writable(Wire to, long now) {
    write(now);
    settle(now);
  }

  /** Sends what the queue has, as far as it goes without waiting. */
  void write(long now) {
    if (!connected || wire == null || cause != null) {
      return;
    }
    try {
      var sender = queue.sender();
      while (!queue.isOver()) {
        queue.fill();
        long pending = sender.pending();
        if (pending == 0) {
          wire.interest(true, false);
          return;
        }
        long taken = wire.write(sender.memory(), sender.offset(), pending);
        queue.sent(taken, now);
        if (taken < pending) {
          if (!queue.isOver() && cause == null) {
            wire.interest(true, true);
          }
          return;
        }
        if (cause != null) {
          return;
        }
      }
    } catch (WireException e) {
      stop(broke(e.getMessage()));
    }
  }

  @Override
  public void failed(Wire broken, WireException e, long now) {
    var what = connected ? "the connection broke: " : "no connection: ";
    stop(broke(what + e.getMessage()));
    settle(now);
  }

  private Fault broke(String what) {
    return new Fault(
        Fault.Blame.REMOTE, FailureCode.CONNECTION, Fault.Effect.NONE, where + ": " + what);
  }

  /** The queue is over: its last words go out if that is possible at once. */
  void close() {
    if (wire == null || cause != null) {
      return;
    }
    try {
      var sender = queue.sender();
      long pending = connected ? sender.pending() : 0;
      if (pending > 0 && wire.write(sender.memory(), sender.offset(), pending) == pending) {
        wire.close();
      } else {
        wire.abort();
      }
    } catch (WireException e) {
      wire.abort();
    }
  }

  /** Ends the stream after what was sent before. */
  void closeGently() {
    if (wire != null && cause == null) {
      wire.close();
      wire = null;
    }
  }
}

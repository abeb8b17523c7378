package dev.shunt.runtime.control;

import dev.shunt.api.spi.Supervisor.Timer;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.runtime.control.core.ClientConnection;

/** One connection to a peer. On the control thread. */
final class Outbound implements WireHandler {
  final Pool pool;
  private final ControlClient client;
  private final ClientConnection connection;
  private Wire wire;
  private Call call;
  private Timer alarm;
  private long since;
  private boolean connected;
  private boolean used;
  private boolean closed;

  Outbound(ControlClient client, Pool pool, Call call) {
    this.client = client;
    this.pool = pool;
    this.call = call;
    this.connection = new ClientConnection(client.service().maxFrame());
  }

  /**
   * Begins to connect.
   *
   * @param deadline by when it has to be there
   * @param patient whether that is as long as one ever waits, so that its passing says something of
   *     the peer
   * @throws dev.shunt.api.spi.TransportException if the local address is not to be had
   */
  void connect(long deadline, boolean patient) {
    since = client.now();
    wire = client.service().wires().connect(pool.route.local(), pool.remote, this);
    alarm =
        client
            .service()
            .at(
                deadline,
                () ->
                    lost(
                        new Loss("it did not connect in time", patient, true, false),
                        client.now()));
  }

  /** Asks; only while it is idle. */
  void ask(Call next, long now) {
    cancelAlarm();
    call = next;
    since = now;
    connection.ask(call.function, call.request);
    settle(now);
  }

  /** Keeps it for the next call, for a while. */
  void rest(long until) {
    cancelAlarm();
    used = true;
    alarm = client.service().at(until, this::drop);
    wire.interest(true, false);
  }

  boolean connected() {
    return connected;
  }

  /** When it was asked last, or began to connect. */
  long since() {
    return since;
  }

  /** Whether it served a call before: the peer may have left since. */
  boolean used() {
    return used;
  }

  boolean begun() {
    return connection.begun();
  }

  /** Whether it can serve another call. */
  boolean usable() {
    return !closed
        && !connection.busy()
        && connection.failure().isEmpty()
        && connection.outbox().waiting() == 0;
  }

  @Override
  public void connected(Wire ignored, long now) {
    connected = true;
    cancelAlarm();
    client.connected(this, call, now);
  }

  @Override
  public void readable(Wire ignored, long now) {
    try {
      int wanted;
      while (!closed && (wanted = connection.wants()) > 0) {
        var input = client.service().input();
        long count = wire.read(input, 0, Math.min(wanted, input.byteSize()));
        if (count == 0) {
          return;
        }
        if (count < 0) {
          lost(Loss.of("the peer closed the connection"), now);
          return;
        }
        connection.received(input, 0, (int) count);
        var reply = connection.take();
        if (reply != null) {
          var served = call;
          call = null;
          client.replied(this, served, reply, now);
          return;
        }
        if (!connection.failure().isEmpty()) {
          client.broke(this, call, connection.failure(), now);
          return;
        }
      }
    } catch (WireException broken) {
      lost(Loss.of(broken), now);
    }
  }

  @Override
  public void writable(Wire ignored, long now) {
    settle(now);
  }

  @Override
  public void failed(Wire ignored, WireException cause, long now) {
    lost(Loss.of(cause), now);
  }

  private void settle(long now) {
    try {
      var outbox = connection.outbox();
      while (outbox.waiting() > 0) {
        int count = outbox.copy(client.service().output());
        long taken = wire.write(client.service().output(), 0, count);
        if (taken == 0) {
          break;
        }
        outbox.sent(taken);
      }
      wire.interest(true, outbox.waiting() > 0);
    } catch (WireException broken) {
      lost(Loss.of(broken), now);
    }
  }

  private void lost(Loss loss, long now) {
    if (!closed) {
      client.lost(this, call, loss, now);
    }
  }

  /** Gives the connection up; whoever waits on it was told. */
  void drop() {
    if (closed) {
      return;
    }
    var clean = usable() && connected;
    closed = true;
    call = null;
    cancelAlarm();
    if (clean) {
      wire.close();
    } else {
      wire.abort();
    }
    client.dropped(this);
  }

  private void cancelAlarm() {
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
  }
}

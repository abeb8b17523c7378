package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Supervisor.Timer;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.runtime.control.core.Crowd;
import dev.shunt.runtime.control.core.Exchange;
import dev.shunt.runtime.control.core.Place;
import dev.shunt.runtime.control.core.RpcError;
import dev.shunt.runtime.control.core.ServerConnection;
import java.net.InetSocketAddress;

/** One connection from a peer. On the control thread. */
final class Inbound implements WireHandler, Crowd.Seat {
  private static final int REQUESTS_PER_TURN = 64;

  /** A MiB and what goes with it; then it is the turn of what came on other connections. */
  private static final long BYTES_PER_TURN = (1 << 20) + (64 << 10);

  private final ControlServer server;
  private final Wire wire;
  private final ServerConnection connection;
  private Timer alarm;
  private long alarmTime = Long.MAX_VALUE;
  private final Place place;
  private long lastUse;
  private boolean closed;

  Inbound(ControlServer server, Wire wire, long now) {
    this.server = server;
    this.wire = wire;
    this.place = Place.of(wire.remote().getAddress().getAddress());
    this.connection = new ServerConnection(server.limits(), server.desk(), server.budget(), place);
    this.lastUse = now;
  }

  @Override
  public void connected(Wire ignored, long now) {
    throw new IllegalStateException("an accepted stream connects");
  }

  @Override
  public void readable(Wire ignored, long now) {
    lastUse = now;
    try {
      int requests = 0;
      long left = BYTES_PER_TURN;
      long wanted;
      while (requests < REQUESTS_PER_TURN && left > 0 && (wanted = connection.wants()) > 0) {
        long most = Math.min(wanted, left);
        long count = read(most, now);
        if (count < 0) {
          connection.ended();
          break;
        }
        left -= count;
        var exchange = connection.take();
        if (exchange != null) {
          requests++;
          server.handle(this, exchange);
        }
        if (count < most) {
          break;
        }
      }
      settle(now);
    } catch (WireException broken) {
      close();
    }
  }

  private long read(long most, long now) {
    if (connection.landing()) {
      long count = wire.read(connection.memory(), connection.offset(), most);
      if (count > 0) {
        connection.landed(count, now);
        refusal(now);
      }
      return count;
    }
    var input = server.input();
    long count = wire.read(input, 0, Math.min(most, input.byteSize()));
    if (count > 0) {
      connection.received(input, 0, (int) count, now);
      refusal(now);
    }
    return count;
  }

  private void refusal(long now) {
    var text = connection.takeRefusal();
    if (!text.isEmpty()) {
      server.refused(now, wire, text);
    }
  }

  @Override
  public void writable(Wire ignored, long now) {
    settle(now);
  }

  @Override
  public void failed(Wire ignored, WireException cause, long now) {
    close();
  }

  /** The handler's answer. Settles nothing: the caller may be in the midst of reading. */
  void answer(Exchange exchange, byte[] attachment, long now) {
    if (!closed) {
      if (attachment.length > server.limits().maxAttachment()) {
        refuse(
            exchange,
            FailureCode.RESOURCE,
            "the answer has "
                + attachment.length
                + " bytes; at most "
                + server.limits().maxAttachment()
                + " are sent",
            now);
      } else {
        connection.answer(exchange, attachment, now);
      }
    }
  }

  void refuse(Exchange exchange, FailureCode code, String text, long now) {
    if (!closed) {
      connection.refuse(exchange, RpcError.THROWN, RpcError.text(code, text), now);
    }
  }

  /** Sends what waits, asks for what it wants next, keeps its deadline, or ends. */
  void settle(long now) {
    if (closed) {
      return;
    }
    try {
      send(now);
    } catch (WireException broken) {
      close();
      return;
    }
    if (connection.over()) {
      if (!connection.failure().isEmpty()) {
        server.complain(now, wire, connection.failure());
      }
      close();
      return;
    }
    wire.interest(connection.wants() > 0, connection.outbox().waiting() > 0);
    var deadline = connection.deadline();
    if (deadline < alarmTime) {
      if (alarm != null) {
        alarm.cancel();
      }
      alarmTime = deadline;
      alarm = server.at(deadline, this::alarm);
    }
  }

  private void send(long now) {
    var outbox = connection.outbox();
    long left = BYTES_PER_TURN;
    while (outbox.waiting() > 0 && left > 0) {
      long asked;
      long taken;
      if (outbox.lent()) {
        asked = Math.min(outbox.length(), left);
        taken = wire.write(outbox.memory(), outbox.offset(), asked);
      } else {
        asked = outbox.copy(server.output());
        taken = wire.write(server.output(), 0, asked);
      }
      if (taken > 0) {
        connection.sent(taken, now);
        left -= taken;
      }
      if (taken < asked) {
        return;
      }
    }
  }

  private void alarm() {
    alarm = null;
    alarmTime = Long.MAX_VALUE;
    if (closed) {
      return;
    }
    var now = server.now();
    if (connection.expire(now)) {
      server.complain(now, wire, connection.failure());
      abort();
    } else {
      settle(now);
    }
  }

  InetSocketAddress peer() {
    return wire.remote();
  }

  @Override
  public Object place() {
    return place;
  }

  @Override
  public boolean proven() {
    return connection.proven();
  }

  @Override
  public boolean busy() {
    return !connection.idle();
  }

  /** That this node has not answered yet is no standstill of the peer. */
  @Override
  public long since() {
    if (connection.awaitsUs()) {
      return server.now();
    }
    return busy() ? connection.moved() : lastUse;
  }

  void abort() {
    if (!closed) {
      wire.abort();
      forget();
    }
  }

  void close() {
    if (!closed) {
      wire.close();
      forget();
    }
  }

  private void forget() {
    closed = true;
    connection.release();
    if (alarm != null) {
      alarm.cancel();
    }
    server.forget(this);
  }
}

package dev.shunt.runtime.control;

import dev.shunt.api.spi.Supervisor.Timer;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.runtime.control.core.ClientConnection;
import dev.shunt.runtime.control.core.Functions;
import java.net.InetSocketAddress;

/** One connection with one Probe on it. On the control thread. */
final class Probe implements WireHandler {
  private static final byte[] NOTHING = {};

  private final ControlService service;
  private final Prober.Round round;
  private final InetSocketAddress local;
  private final long deadline;
  private ClientConnection connection;
  private Wire wire;
  private Timer alarm;
  private boolean connected;
  private boolean over;

  Probe(ControlService service, Prober.Round round, InetSocketAddress local, long deadline) {
    this.service = service;
    this.round = round;
    this.local = local;
    this.deadline = deadline;
  }

  Prober.Round round() {
    return round;
  }

  /** From where it asks. */
  InetSocketAddress local() {
    return local;
  }

  void begin(InetSocketAddress remote, int maxFrame) {
    connection = new ClientConnection(maxFrame);
    alarm = service.at(deadline, this::late);
    try {
      wire = service.wires().connect(local, remote, this);
    } catch (TransportException refused) {
      failed(refused.getMessage(), true);
    }
  }

  private void late() {
    failed(
        connected ? "it did not answer a probe in time" : "it did not connect for a probe in time",
        false);
  }

  @Override
  public void connected(Wire ignored, long now) {
    connected = true;
    connection.ask(Functions.PROBE, NOTHING);
    write();
  }

  @Override
  public void writable(Wire ignored, long now) {
    write();
  }

  private void write() {
    try {
      var outbox = connection.outbox();
      while (!over && outbox.waiting() > 0) {
        int count = outbox.copy(service.output());
        long taken = wire.write(service.output(), 0, count);
        if (taken == 0) {
          break;
        }
        outbox.sent(taken);
      }
      if (!over) {
        wire.interest(true, outbox.waiting() > 0);
      }
    } catch (WireException broken) {
      failed(broken.getMessage(), OwnTrouble.is(broken));
    }
  }

  @Override
  public void readable(Wire ignored, long now) {
    try {
      int wanted;
      while (!over && (wanted = connection.wants()) > 0) {
        var input = service.input();
        long count = wire.read(input, 0, Math.min(wanted, input.byteSize()));
        if (count == 0) {
          return;
        }
        if (count < 0) {
          failed("the peer closed the connection", false);
          return;
        }
        connection.received(input, 0, (int) count);
        // Whatever it says, it speaks.
        if (connection.take() != null || !connection.failure().isEmpty()) {
          end(true);
          round.answered(this);
        }
      }
    } catch (WireException broken) {
      failed(broken.getMessage(), OwnTrouble.is(broken));
    }
  }

  @Override
  public void failed(Wire ignored, WireException cause, long now) {
    failed(cause.getMessage(), OwnTrouble.is(cause));
  }

  private void failed(String why, boolean own) {
    if (!over) {
      end(false);
      round.failed(this, why, own);
    }
  }

  /** Lets go of the connection, and tells nobody. */
  void end() {
    end(false);
  }

  private void end(boolean clean) {
    if (over) {
      return;
    }
    over = true;
    alarm.cancel();
    if (wire != null) {
      if (clean) {
        wire.close();
      } else {
        wire.abort();
      }
    }
  }
}

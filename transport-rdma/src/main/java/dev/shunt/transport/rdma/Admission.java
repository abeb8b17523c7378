package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Supervisor;

/** One request's way to a place among its rail's endpoints. */
final class Admission implements Room.Guest {
  /** How long to look for one that is idle, in nanoseconds: another path may be open at once. */
  private static final long PATIENCE = 1_000_000_000;

  private final Connector connector;
  private final ConnectRequest request;
  private final RdmaRail rail;
  private final Handshake handshake;
  private Supervisor.Timer deadline = () -> {};
  private boolean waiting = true;

  Admission(Connector connector, ConnectRequest request, Handshake handshake) {
    this.connector = connector;
    this.request = request;
    this.handshake = handshake;
    rail = (RdmaRail) request.local();
  }

  void ask() {
    var room = connector.endpoints().room();
    deadline =
        connector
            .context()
            .supervisor()
            .at(
                request.deadline(),
                () -> {
                  room.forget(rail, this);
                  refuse();
                });
    room.ask(rail, this);
  }

  @Override
  public void enter() {
    waiting = false;
    deadline.cancel();
    if (rail.active()) {
      handshake.begin();
    } else {
      connector.endpoints().room().left(rail);
      fail(FailureCode.CONNECTION, " is inactive");
    }
  }

  @Override
  public void refuse() {
    waiting = false;
    deadline.cancel();
    fail(
        FailureCode.RESOURCE,
        " has as many endpoints as endpoint-store-cap allows, and none that is idle");
  }

  private void fail(FailureCode code, String text) {
    var what = handshake.link() + ": rail " + rail + text;
    connector.failed(request, HandshakeFault.local(code, what));
  }

  @Override
  public void evict() {
    evict(0, connector.context().now() + PATIENCE);
  }

  /**
   * Asks one lane after the other, that of the request first; and all again, while there is time.
   */
  private void evict(int tried, long until) {
    var context = connector.context();
    var supervisor = context.supervisor();
    if (!waiting) {
      return;
    }
    if (tried < connector.lanes()) {
      int number = (request.lane() + tried) % connector.lanes();
      context
          .lane(number)
          .execute(
              () -> {
                if (!connector.lane(number).evict(rail)) {
                  supervisor.execute(() -> evict(tried + 1, until));
                }
              });
    } else if (context.now() - until < 0) {
      supervisor.at(context.now() + RdmaLane.IDLE, () -> evict(0, until));
    } else {
      connector.endpoints().room().noneIdle(rail, this);
    }
  }
}

package dev.shunt.transport.tcp;

import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.TransportContext;
import java.util.ArrayList;
import java.util.List;

/**
 * All lanes of the transport. Filled once, on the supervisor thread, before any lane runs; from
 * then on lanes reach one another through their mailboxes only.
 */
final class Lanes {
  private final TransportContext context;
  private final TcpSettings settings;
  private final List<TcpLane> lanes = new ArrayList<>();

  Lanes(TransportContext context, TcpSettings settings) {
    this.context = context;
    this.settings = settings;
  }

  void open() {
    for (int i = 0; i < context.lanes(); i++) {
      lanes.add(new TcpLane(i, context, settings, this, context.wires().open("tcp-" + i)));
    }
  }

  TcpLane of(int number) {
    if (number < 0 || number >= lanes.size()) {
      throw TcpTransport.noLane(number, lanes.size());
    }
    return lanes.get(number);
  }

  /**
   * Asks every lane that serves to fence a link, in their order.
   *
   * @param except a lane that has done so already, or -1
   * @param round hears of each lane
   * @return whether that was all; otherwise the round ends later
   */
  boolean fence(LinkId link, int except, FenceRound round) {
    for (int i = 0; i < lanes.size(); i++) {
      var lane = lanes.get(i);
      if (i != except && lane.serves()) {
        round.ask(
            context.lane(i),
            () -> {
              lane.fence(link);
              round.answered();
            });
      }
    }
    return round.complete();
  }

  /** Closes the loops of the lanes that never ran. */
  void close() {
    lanes.forEach(TcpLane::closeUnopened);
  }
}

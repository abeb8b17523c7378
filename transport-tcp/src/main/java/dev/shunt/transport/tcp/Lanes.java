package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.TransportContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

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

  /** The lane that listens on a rail. */
  TcpLane home(int rail) {
    return lanes.get(homeNumber(rail));
  }

  private int homeNumber(int rail) {
    return rail % lanes.size();
  }

  /** A rail can carry nothing: what it has ends on all lanes. */
  void railLost(TcpRail rail, Fault fault) {
    for (int i = 0; i < lanes.size(); i++) {
      var lane = lanes.get(i);
      context.lane(i).execute(() -> lane.railLost(rail.index(), fault));
    }
  }

  /** Checks a rail on the lane that listens on it; the answer comes there, or at once. */
  void check(TcpRail rail, boolean anew, long deadline, Consumer<Optional<Fault>> answer) {
    var home = home(rail.index());
    boolean sent =
        context
            .lane(homeNumber(rail.index()))
            .execute(() -> home.check(rail, anew, deadline, answer));
    if (!sent) {
      answer.accept(
          Optional.of(
              Faults.none(Fault.Blame.NEUTRAL, FailureCode.CLOSED, "the transport was closed")));
    }
  }

  /** Closes the loops of the lanes that never ran. */
  void close() {
    lanes.forEach(TcpLane::closeUnopened);
  }
}

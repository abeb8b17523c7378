package dev.shunt.runtime.engine;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Signal;
import dev.shunt.api.Status;
import dev.shunt.api.spi.RailHealth.RailRecord;
import dev.shunt.runtime.transfer.FutureSignal;
import dev.shunt.runtime.transport.TransportHost;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** What an operator, or the application, orders of this node's own rails. Any thread. */
final class RailOrders {
  private final List<TransportHost> transports;
  private final Executor delivery;

  /**
   * For the rails of these transports.
   *
   * @param delivery runs callbacks
   */
  RailOrders(List<TransportHost> transports, Executor delivery) {
    this.transports = transports;
    this.delivery = delivery;
  }

  /** Takes a rail out of use. */
  Signal<Status.RailStatus> drain(String transport, String rail) {
    var host = host(transport);
    var place = place(host, rail);
    var signal = new FutureSignal<Status.RailStatus>(delivery);
    taken(host.railBook().drain(place, tell(host, place, signal)));
    return signal;
  }

  /** Brings a rail back. */
  Signal<Status.RailStatus> restore(String transport, String rail) {
    var host = host(transport);
    var place = place(host, rail);
    var signal = new FutureSignal<Status.RailStatus>(delivery);
    taken(host.railBook().restore(place, tell(host, place, signal)));
    return signal;
  }

  /** Looks at a rail. */
  Signal<Status.RailCheck> check(String transport, String rail) {
    var host = host(transport);
    var place = place(host, rail);
    var signal = new FutureSignal<Status.RailCheck>(delivery);
    var begun = host.now();
    taken(
        host.looks()
            .check(
                place,
                begun,
                problem ->
                    signal.complete(
                        new Status.RailCheck(problem, Duration.ofNanos(host.now() - begun)))));
    return signal;
  }

  private static Consumer<RailRecord> tell(
      TransportHost host, int place, FutureSignal<Status.RailStatus> signal) {
    return record -> signal.complete(RailReport.of(host, place, record));
  }

  private static void taken(boolean taken) {
    if (!taken) {
      throw new ShuntException(FailureCode.CLOSED, "the engine is closed");
    }
  }

  private TransportHost host(String transport) {
    for (var host : transports) {
      if (host.id().equals(transport)) {
        return host;
      }
    }
    throw new ShuntException(
        FailureCode.REJECTED,
        "no transport "
            + transport
            + " runs here; there are "
            + transports.stream().map(TransportHost::id).toList());
  }

  private static int place(TransportHost host, String name) {
    for (var rail : host.rails()) {
      if (rail.name().equals(name)) {
        return rail.index();
      }
    }
    throw new ShuntException(
        FailureCode.REJECTED,
        host.id()
            + " has no rail "
            + name
            + "; it has "
            + host.rails().stream().map(rail -> rail.name()).toList());
  }
}

package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.tcp.core.Interface;
import dev.shunt.transport.tcp.core.IpAddress;
import dev.shunt.transport.tcp.core.RailLinks;
import dev.shunt.transport.tcp.links.LinkSource;
import dev.shunt.transport.tcp.links.LinkWatch;
import java.net.Inet6Address;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what happens to interfaces into what becomes of rails. The supervisor's. */
final class RailWatch {
  private static final Logger LOG = LoggerFactory.getLogger(RailWatch.class);

  private final TransportContext context;
  private final Lanes lanes;
  private final List<TcpRail> rails;
  private final RailListener listener;
  private final RailLinks links;
  private final LinkWatch watch;
  private boolean begun;

  RailWatch(
      TransportContext context,
      Lanes lanes,
      List<TcpRail> rails,
      RailListener listener,
      LinkSource source) {
    this.context = context;
    this.lanes = lanes;
    this.rails = rails;
    this.listener = listener;
    this.links = new RailLinks(rails.stream().map(RailWatch::place).toList());
    this.watch = source.watch(context, this::changed);
  }

  private static RailLinks.Place place(TcpRail rail) {
    var address = rail.bind().getAddress();
    var bytes = address.getAddress();
    int zone = address instanceof Inet6Address scoped ? scoped.getScopeId() : 0;
    return new RailLinks.Place(
        IpAddress.of(bytes, 0, bytes.length).orElseThrow(), zone, address.getHostAddress());
  }

  private void changed(List<Interface> interfaces) {
    for (var change : links.update(interfaces)) {
      var rail = rails.get(change.rail());
      switch (change) {
        case RailLinks.Change.Lost lost -> lost(rail, lost.why());
        case RailLinks.Change.Back _ -> listener.returned(rail);
      }
    }
    if (!begun) {
      begun = true;
      for (var rail : rails) {
        if (!links.watched(rail.index())) {
          LOG.info("no interface has the address of {}: its link is not watched", rail);
        }
      }
    }
  }

  private void lost(TcpRail rail, String why) {
    var fault = fault(rail, why);
    listener.inactive(rail, RailLoss.LINK, fault);
    lanes.railLost(rail, fault);
  }

  private static Fault fault(TcpRail rail, String why) {
    return Faults.none(
        Fault.Blame.LOCAL, FailureCode.DEVICE, "rail " + rail.name() + " has no link: " + why);
  }

  /** What a rail lacks; empty if it lacks nothing, as far as is known. */
  Optional<Fault> problem(TcpRail rail) {
    return links.problem(rail.index()).map(why -> fault(rail, why));
  }

  /** See {@link dev.shunt.api.spi.Transport#check}. */
  void check(TcpRail rail, boolean anew, long deadline, Consumer<Optional<Fault>> answer) {
    var known = problem(rail);
    if (known.isPresent()) {
      answer.accept(known);
      return;
    }
    int before = rail.port();
    lanes.check(
        rail,
        anew,
        deadline,
        found ->
            context
                .supervisor()
                .execute(
                    () -> {
                      if (rail.port() != before) {
                        listener.changed(rail);
                      }
                      // It may have gone again meanwhile.
                      answer.accept(found.or(() -> problem(rail)));
                    }));
  }

  void close() {
    watch.close();
  }
}

package dev.shunt.runtime.peer;

import dev.shunt.api.Segment.RemoteBuffer;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.runtime.descriptor.DescribedBuffer;
import dev.shunt.runtime.descriptor.DescribedRail;
import dev.shunt.runtime.descriptor.DescribedTransport;
import dev.shunt.runtime.descriptor.Descriptor;
import dev.shunt.runtime.descriptor.RailMatrix;
import dev.shunt.runtime.plain.PlainTransportProvider;
import dev.shunt.runtime.plain.PlainWays;
import dev.shunt.runtime.plain.core.PeerRanges;
import dev.shunt.runtime.transfer.core.RailOrder;
import dev.shunt.runtime.transport.RailOrders;
import dev.shunt.runtime.transport.TransportHost;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the transports towards a node: those that both sides have and have agreed to use, in the
 * order in which they are preferred. What every node has is its control plane, and what comes by
 * that is asked last; towards a plain peer there is nothing else.
 */
final class Ways {
  private static final long[] NO_KEYS = {};

  private final List<TransportHost> transports;

  /**
   * @param transports in the order in which they are preferred
   */
  Ways(List<TransportHost> transports) {
    this.transports = transports;
  }

  /** The ways to a node that was met; a request goes by the first of them that is of use. */
  List<TransportHost.Home> to(Remote.Node remote, Descriptor descriptor) {
    var ways = new ArrayList<TransportHost.Home>();
    for (var host : transports) {
      var rails = rails(host, remote, descriptor);
      if (!rails.isEmpty()) {
        ways.add(host.route(remote, rails, Long.MAX_VALUE, 1));
      }
    }
    return ways;
  }

  private static List<RemoteRail> rails(
      TransportHost host, Remote.Node remote, Descriptor descriptor) {
    if (isPlain(host)) {
      return PlainWays.to(descriptor.control(), host.config());
    }
    // A node that was met as a plain peer has no other transport, whatever its descriptor says.
    if (remote.generation() == 0 || descriptor.plain()) {
      return List.of();
    }
    var described = descriptor.extension().orElseThrow().transports().get(host.id());
    if (described == null || described.rails().isEmpty() || !host.worker().reaches(remote)) {
      return List.of();
    }
    return rails(described);
  }

  private static List<RemoteRail> rails(DescribedTransport described) {
    var rails = new ArrayList<RemoteRail>();
    for (var rail : described.rails()) {
      rails.add(new RemoteRail(rail.name(), rails.size(), rail.attributes()));
    }
    return rails;
  }

  /** A way goes by what a newer descriptor tells of its rails. */
  static void renew(TransportHost.Home way, Descriptor descriptor) {
    var described =
        descriptor.extension().map(told -> told.transports().get(way.host().id())).orElse(null);
    if (described == null || isPlain(way.host())) {
      return;
    }
    var inactive = new ArrayList<Integer>();
    for (int i = 0; i < described.rails().size(); i++) {
      if (described.rails().get(i).inactive()) {
        inactive.add(i);
      }
    }
    var route = way.route();
    var out = route.rails().stream().map(RemoteRail::index).filter(route::remoteInactive).toList();
    if (route.renew(rails(described), inactive)) {
      out.stream()
          .filter(rail -> !route.remoteInactive(rail))
          .forEach(rail -> way.host().paths().returned(route.remote().name(), rail));
      way.lane().renewed(route);
    }
  }

  private static boolean isPlain(TransportHost host) {
    return host.id().equals(PlainTransportProvider.ID);
  }

  /** What a descriptor says of the memory that any of the ways reaches. */
  static RemoteView view(List<TransportHost.Home> ways, Descriptor descriptor) {
    var buffers = new ArrayList<RemoteBuffer>();
    var keys = new ArrayList<long[][]>();
    var orders = new ArrayList<RailOrder[]>();
    var near = ways.stream().map(way -> orders(way, descriptor)).toList();
    boolean rdma = false;
    for (var buffer : descriptor.buffers()) {
      rdma |= buffer.tentTransports().contains(PeerRanges.RDMA);
      var byWay = new long[ways.size()][];
      boolean reached = false;
      for (int way = 0; way < byWay.length; way++) {
        byWay[way] = keys(ways.get(way).host(), buffer);
        reached |= byWay[way] != null;
      }
      if (reached) {
        buffers.add(new RemoteBuffer(buffer.address(), buffer.length(), buffer.access()));
        keys.add(byWay);
        orders.add(near.stream().map(way -> way.of(buffer.location())).toArray(RailOrder[]::new));
      }
    }
    return new RemoteView(
        buffers, keys.toArray(long[][][]::new), orders.toArray(RailOrder[][]::new), rdma);
  }

  private static RailOrders orders(TransportHost.Home way, Descriptor descriptor) {
    var described =
        descriptor.extension().map(told -> told.transports().get(way.host().id())).orElse(null);
    return described == null
        ? new RailOrders(RailMatrix.NONE, List.of())
        : new RailOrders(
            described.topology(), described.rails().stream().map(DescribedRail::name).toList());
  }

  /** A buffer's keys by remote rail; null if it is out of the transport's reach. */
  private static long[] keys(TransportHost host, DescribedBuffer buffer) {
    if (isPlain(host)) {
      return PeerRanges.reachable(buffer) ? NO_KEYS : null;
    }
    var list = buffer.keys().getOrDefault(host.id(), List.of());
    return list.isEmpty() ? null : list.stream().mapToLong(Long::longValue).toArray();
  }
}

package dev.shunt.runtime.peer;

import dev.shunt.api.Segment.RemoteBuffer;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.runtime.descriptor.Descriptor;
import dev.shunt.runtime.plain.PlainTransportProvider;
import dev.shunt.runtime.plain.PlainWays;
import dev.shunt.runtime.plain.core.PeerRanges;
import dev.shunt.runtime.transport.TransportHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the transport towards a node: the first that both sides have and have agreed to use. What
 * every node has is its control plane, and what comes by that is asked last; towards a plain peer
 * there is nothing else.
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

  /** The way to a node that was met. */
  Optional<TransportHost.Home> to(Remote.Node remote, Descriptor descriptor) {
    for (var host : transports) {
      var rails = rails(host, remote, descriptor);
      if (!rails.isEmpty()) {
        return Optional.of(host.route(remote, rails, Long.MAX_VALUE, 1));
      }
    }
    return Optional.empty();
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
    var rails = new ArrayList<RemoteRail>();
    for (var rail : described.rails()) {
      rails.add(new RemoteRail(rail.name(), rails.size(), rail.attributes()));
    }
    return rails;
  }

  private static boolean isPlain(TransportHost host) {
    return host.id().equals(PlainTransportProvider.ID);
  }

  /** What a descriptor says of the memory that a transport reaches; none without a transport. */
  static RemoteView view(Optional<TransportHost.Home> home, Descriptor descriptor) {
    var plain = home.isPresent() && isPlain(home.get().host());
    var id = home.map(way -> way.host().id()).orElse("");
    var buffers = new ArrayList<RemoteBuffer>();
    var keys = new ArrayList<long[]>();
    boolean rdma = false;
    for (var buffer : descriptor.buffers()) {
      rdma |= buffer.tentTransports().contains(PeerRanges.RDMA);
      var list = buffer.keys().getOrDefault(id, List.of());
      if (plain ? PeerRanges.reachable(buffer) : !list.isEmpty()) {
        buffers.add(new RemoteBuffer(buffer.address(), buffer.length(), buffer.access()));
        keys.add(plain ? NO_KEYS : list.stream().mapToLong(Long::longValue).toArray());
      }
    }
    return new RemoteView(buffers, keys.toArray(long[][]::new), rdma);
  }
}

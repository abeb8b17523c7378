package dev.shunt.runtime.plain;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Limits;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.runtime.control.Places;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The supervisor's side of the transport. */
public final class PlainTransport implements Transport {

  private final TransportContext context;
  private final PlainSettings settings;
  private final Limits limits;
  private final List<PlainLane> lanes = new ArrayList<>();

  PlainTransport(TransportContext context, PlainSettings settings) {
    this.context = context;
    this.settings = settings;
    this.limits =
        new Limits(
            settings.sliceSize(),
            settings.sliceSize(),
            settings.depth(),
            true,
            false,
            false,
            Limits.Fencing.GRACE);
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public List<? extends Rail> start(RailListener listener) {
    for (int i = 0; i < context.lanes(); i++) {
      lanes.add(new PlainLane(i, context, settings));
    }
    return settings.rails();
  }

  @Override
  public LaneDriver openLane(int lane, LaneListener listener) {
    var driver = lanes.get(lane);
    driver.opened(listener);
    return driver;
  }

  @Override
  public RegionKey register(Rail rail, Region region) {
    return region::id;
  }

  @Override
  public void unregister(RegionKey key) {
    // Nothing is kept for a registration: nobody reaches memory here by this transport.
  }

  @Override
  public void connect(ConnectRequest request) {
    var text = request.remoteRail().attributes().getOrDefault(PlainWays.ADDRESS, "");
    var place = Places.parse(text);
    if (place.isEmpty()) {
      refuse(
          request,
          PlainFaults.none(
              Blame.REMOTE,
              FailureCode.PROTOCOL,
              request.remote().name()
                  + " tells of a control plane at '"
                  + text
                  + "'; right is host:port or [IPv6]:port"));
    } else if (place.get().isUnresolved()) {
      resolve(request, place.get());
    } else {
      connect(request, place.get());
    }
  }

  private void resolve(ConnectRequest request, InetSocketAddress place) {
    var host = place.getHostString();
    context
        .attempts()
        .<InetAddress>run(
            "resolve " + host,
            () -> InetAddress.getByName(host),
            request.deadline(),
            (address, fault) -> {
              if (address != null) {
                connect(request, new InetSocketAddress(address, place.getPort()));
              } else {
                refuse(
                    request, PlainFaults.none(Blame.LOCAL, FailureCode.UNREACHABLE, fault.text()));
              }
            },
            late -> {});
  }

  private void connect(ConnectRequest request, InetSocketAddress address) {
    var lane = lanes.get(request.lane());
    context.lane(request.lane()).execute(() -> lane.connect(request, address));
  }

  private void refuse(ConnectRequest request, Fault fault) {
    var lane = lanes.get(request.lane());
    context.lane(request.lane()).execute(() -> lane.refuse(request, fault));
  }

  /** Nobody sends to this node by this transport. */
  @Override
  public void fence(LinkId link, Consumer<Boolean> answer) {
    answer.accept(false);
  }

  @Override
  public void close() {
    lanes.forEach(PlainLane::closeUnopened);
  }
}

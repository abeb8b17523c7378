package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Limits;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportException;
import dev.shunt.transport.tcp.links.LinkSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The supervisor's side of the transport: rails, and the way to the lanes. */
public final class TcpTransport implements Transport {
  private static final Logger log = LoggerFactory.getLogger(TcpTransport.class);

  private final TransportContext context;
  private final TcpSettings settings;
  private final Limits limits;
  private final Lanes lanes;
  private final List<TcpRail> rails = new ArrayList<>();
  private final LinkSource links;
  private Optional<RailWatch> watch = Optional.empty();

  TcpTransport(TransportContext context, TcpSettings settings, LinkSource links) {
    this.links = links;
    this.context = context;
    this.settings = settings;
    this.limits =
        new Limits(
            settings.sliceSize(),
            settings.maxSlice(),
            settings.depth(),
            true,
            true,
            false,
            Limits.Fencing.ORDERED);
    this.lanes = new Lanes(context, settings);
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public List<TcpRail> start(RailListener listener) {
    lanes.open();
    TransportException last = null;
    for (var rail : settings.rails()) {
      int index = rails.size();
      try {
        var address = lanes.home(index).listen(index, rail.bind());
        rails.add(new TcpRail(rail, index, address.getPort()));
        log.info("tcp rail {} listens on {}", rail.name(), address);
      } catch (TransportException e) {
        last = withRemedy(e, rail.name());
        if (settings.strictRails()) {
          lanes.close();
          throw last;
        }
        log.warn("tcp rail {} is left out: {}", rail.name(), last.getMessage());
      }
    }
    if (rails.isEmpty()) {
      lanes.close();
      throw new TransportException(
          last.code(), "none of the rails of tcp can be had: " + last.getMessage(), last);
    }
    var found = List.copyOf(rails);
    watch = Optional.of(new RailWatch(context, lanes, found, listener, links));
    return found;
  }

  private static TransportException withRemedy(TransportException refused, String rail) {
    var cause = refused.getCause();
    var said = refused.getMessage() + (cause == null ? "" : cause.getMessage());
    return new TransportException(
        refused.code(),
        "rail " + rail + ": " + refused.getMessage() + Remedies.forListening(said, rail),
        refused);
  }

  @Override
  public LaneDriver openLane(int lane, LaneListener listener) {
    var driver = lanes.of(lane);
    driver.opened(listener);
    return driver;
  }

  @Override
  public RegionKey register(Rail rail, Region region) {
    return new TcpRegionKey(region.id());
  }

  @Override
  public void unregister(RegionKey key) {
    // Nothing is kept for a registration: the runtime's table of regions decides.
  }

  @Override
  public void connect(ConnectRequest request) {
    var lane = lanes.of(request.lane());
    var mailbox = context.lane(request.lane());
    var address = RemoteAddress.of(request.remoteRail());
    if (address.isEmpty()) {
      mailbox.execute(() -> lane.dials().unaddressed(request));
      return;
    }
    var lost = watch.flatMap(it -> it.problem((TcpRail) request.local()));
    if (lost.isPresent()) {
      mailbox.execute(() -> lane.dials().withoutLink(request, lost.get()));
      return;
    }
    var literal = RemoteAddress.literal(address.get().host());
    if (literal.isPresent()) {
      mailbox.execute(() -> lane.dials().connect(request, address.get(), literal.get()));
      return;
    }
    // A name may take a while, and the system's answer may change: it is asked each time.
    context
        .attempts()
        .run(
            "looking up " + address.get().host(),
            () -> RemoteAddress.lookUp(address.get().host()),
            request.deadline(),
            (found, fault) ->
                mailbox.execute(
                    () -> {
                      if (found == null) {
                        lane.dials().unresolved(request, address.get().host(), fault);
                      } else {
                        lane.dials().connect(request, address.get(), found);
                      }
                    }),
            _ -> {});
  }

  @Override
  public void check(Rail rail, boolean anew, long deadline, Consumer<Optional<Fault>> answer) {
    watch.orElseThrow().check((TcpRail) rail, anew, deadline, answer);
  }

  /** A node that did not agree on streams is reached in another way, or not at all. */
  @Override
  public boolean reaches(Remote.Node node) {
    return node.verdict().version(TcpTransportProvider.STREAM) > 0;
  }

  @Override
  public void fence(LinkId link, Consumer<Boolean> answer) {
    var round = new FenceRound(context.supervisor(), answer);
    if (lanes.fence(link, -1, round)) {
      answer.accept(true);
    } else {
      round.until(context.supervisor(), context.now() + settings.handshakeTimeout());
    }
  }

  /**
   * For tests: the streams that a rail accepted are read no more, or again. Any thread.
   *
   * @param rail its index
   */
  public void holdReading(int rail, boolean hold) {
    var home = lanes.home(rail);
    context.lane(home.number()).execute(() -> home.holdReading(rail, hold));
  }

  @Override
  public void close() {
    watch.ifPresent(RailWatch::close);
    lanes.close();
  }

  static TransportException noLane(int lane, int lanes) {
    return new TransportException(
        FailureCode.INTERNAL, "lane " + lane + " of " + lanes + "; lanes count from 0");
  }
}

package dev.shunt.api.contract.memory;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Limits;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.NotifyListener;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** One node's part of the fabric. */
final class MemoryTransport implements Transport {
  static final int DEPTH = 24;
  private static final int FENCES = 1024;

  private final MemoryFabric fabric;
  private final TransportContext context;
  private final List<MemoryLane> lanes = new ArrayList<>();
  private final List<MemoryRail> rails = new ArrayList<>();
  private final Set<LinkId> fenced = new LinkedHashSet<>();

  MemoryTransport(MemoryFabric fabric, TransportContext context) {
    this.fabric = fabric;
    this.context = context;
  }

  TransportContext context() {
    return context;
  }

  MemoryLane lane(int number) {
    return lanes.get(number % lanes.size());
  }

  @Override
  public Limits limits() {
    return new Limits(16_384, 3 << 20, DEPTH, true, true, false, Limits.Fencing.ORDERED);
  }

  @Override
  public List<? extends Rail> start(RailListener listener) {
    int first = fabric.has(Flaw.RAILS_FROM_ONE) ? 1 : 0;
    for (int i = 0; i < context.config().getInt("rails"); i++) {
      rails.add(new MemoryRail("mem" + i, i + first, Map.of("node", context.node())));
    }
    fabric.join(context.node(), this);
    return rails;
  }

  @Override
  public LaneDriver openLane(int lane, LaneListener listener) {
    var driver = new MemoryLane(fabric, this, listener);
    lanes.add(driver);
    return driver;
  }

  @Override
  public RegionKey register(Rail rail, Region region) {
    return new MemoryKey(region.id());
  }

  @Override
  public void unregister(RegionKey key) {
    // The host's table of regions is what answers for keys here.
  }

  @Override
  public boolean openNotify(int lane, int protocol, NotifyListener listener) {
    lanes.get(lane).notifications(listener);
    return true;
  }

  @Override
  public void openPort(ConnectRequest request) {
    begin(new Attempt(request, true), request);
  }

  /** The rail that a request is for. */
  Rail rail(ConnectRequest request) {
    return rails.get(request.remoteRail().index());
  }

  @Override
  public void connect(ConnectRequest request) {
    begin(new Attempt(request, false), request);
  }

  private void begin(Attempt attempt, ConnectRequest request) {
    context
        .supervisor()
        .at(
            request.deadline(),
            () -> attempt.fail(FailureCode.UNREACHABLE, "no answer by the deadline"));
    int times = fabric.duplicates > 0 ? 2 : 1;
    fabric.duplicates -= times - 1;
    for (int i = 0; i < times; i++) {
      fabric.world().at(context.now() + fabric.travel(), attempt::arrived);
    }
  }

  @Override
  public void fence(LinkId link, Consumer<Boolean> answer) {
    fenced(link);
    answer.accept(true);
  }

  void fenced(LinkId link) {
    if (fabric.has(Flaw.NO_FENCE)
        || fabric.has(Flaw.FORGETS_UNKNOWN_FENCE)
            && lanes.stream().noneMatch(lane -> lane.serves(link))) {
      return;
    }
    fenced.add(link);
    if (fenced.size() > FENCES) {
      fenced.remove(fenced.iterator().next());
    }
    for (var lane : lanes) {
      lane.dropInbound(link);
    }
  }

  boolean refuses(LinkId link) {
    return fenced.contains(link);
  }

  @Override
  public void close() {
    fabric.left(this, false);
  }

  private final class Attempt {
    private final ConnectRequest request;
    private final boolean port;
    private boolean over;

    Attempt(ConnectRequest request, boolean port) {
      this.request = request;
      this.port = port;
    }

    void fail(FailureCode code, String text) {
      if (over || fabric.has(Flaw.NO_ANSWER)) {
        return;
      }
      over = true;
      var fault = new Fault(Fault.Blame.REMOTE, code, Fault.Effect.NONE, text);
      var lane = lanes.get(request.lane());
      context
          .lane(request.lane())
          .execute(
              () -> {
                if (port) {
                  lane.notifications().portFailed(request, fault);
                } else {
                  lane.listener().connectFailed(request, fault);
                }
              });
    }

    void arrived() {
      var way = fabric.way(request.local().index(), request.remoteRail().index());
      var process = fabric.stage().process(request.remote().name());
      if (way.silent || way.held || process.frozen()) {
        fabric.world().at(context.now() + 20_000_000, this::again);
        return;
      }
      var server = fabric.node(request.remote().name());
      var node = (Remote.Node) request.remote();
      if (server == null || process.dead()) {
        fail(FailureCode.CONNECTION, "nobody listens");
      } else if (server.context.generation() != node.generation()
          && !fabric.has(Flaw.NO_GENERATION_CHECK)) {
        fail(FailureCode.STALE_GENERATION, "another generation listens");
      } else if (server.refuses(request.id())) {
        fail(FailureCode.CONNECTION, "the link is fenced");
      } else {
        up(server, way);
      }
    }

    private void again() {
      if (!over && context.now() < request.deadline()) {
        arrived();
      }
    }

    private void up(MemoryTransport server, MemoryFabric.Way way) {
      if (over && !fabric.has(Flaw.ANSWERS_TWICE)) {
        return;
      }
      over = true;
      var lane = lanes.get(request.lane());
      if (port) {
        var link =
            new MemoryLink(request.id(), request.remote(), request.local(), request.remoteRail());
        var opened = new MemoryPort(fabric, lane, server, way, request, link);
        context.lane(request.lane()).execute(() -> lane.up(request, opened));
        return;
      }
      var channel = new MemoryChannel(fabric, lane, server, way, request);
      context.lane(request.lane()).execute(() -> lane.up(request, channel));
    }
  }

  private record MemoryLink(LinkId id, Remote remote, Rail local, RemoteRail remoteRail)
      implements Link {}

  private record MemoryRail(String name, int index, Map<String, String> attributes)
      implements Rail {}

  private record MemoryKey(long remoteKey) implements RegionKey {}
}

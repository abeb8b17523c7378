package dev.shunt.runtime.engine;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Insight;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Limits;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.tcp.TcpTransportProvider;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** TCP whose rails a test takes away and gives back, and that tells what went by which of them. */
final class LossyTcp implements TransportProvider {
  private final TcpTransportProvider inner = new TcpTransportProvider();
  private final Map<Channel, Counted> channels = new ConcurrentHashMap<>();
  private volatile TransportContext context;
  private volatile RailListener listener;
  private volatile List<? extends Rail> rails = List.of();

  /** What the next checks find. */
  volatile Optional<Fault> found = Optional.empty();

  /** How often rails were checked; negative numbers are made anew. */
  final List<Integer> checks = new CopyOnWriteArrayList<>();

  /** Slices by our rail: those of the application, and those of checks. */
  final AtomicInteger[] slices = {new AtomicInteger(), new AtomicInteger()};

  final AtomicInteger[] echoes = {new AtomicInteger(), new AtomicInteger()};

  /** By our rail: whether what checks ask is lost on its way. */
  final AtomicBoolean[] hole = {new AtomicBoolean(), new AtomicBoolean()};

  /** Where rails are, by their places; nowhere if empty. */
  volatile List<String> locations = List.of();

  /** How its last rail refuses memory; empty if it takes it. */
  volatile Optional<TransportException> refusal = Optional.empty();

  /** What it was told of the node's end, in order. */
  final List<String> ends = new CopyOnWriteArrayList<>();

  /** What it shows of its inside. */
  volatile List<Insight> insights = List.of();

  /** What a test says of a rail's attributes. */
  volatile Map<String, String> attributes = Map.of();

  /** A rail is gone. */
  void lose(int rail, RailLoss loss) {
    var cause = new Fault(Fault.Blame.LOCAL, FailureCode.DEVICE, Fault.Effect.NONE, "pulled");
    context.supervisor().execute(() -> listener.inactive(rails.get(rail), loss, cause));
  }

  /** Its link is back. */
  void giveBack(int rail) {
    context.supervisor().execute(() -> listener.returned(rails.get(rail)));
  }

  /** Its attributes are others. */
  void change(int rail, Map<String, String> told) {
    attributes = told;
    context.supervisor().execute(() -> listener.changed(rails.get(rail)));
  }

  @Override
  public String id() {
    return inner.id();
  }

  @Override
  public int spiVersion() {
    return inner.spiVersion();
  }

  @Override
  public String version() {
    return inner.version();
  }

  @Override
  public List<Capability> capabilities() {
    return inner.capabilities();
  }

  @Override
  public Transport create(TransportContext lent) {
    context = lent;
    return new Lossy(inner.create(lent));
  }

  /** A rail that tells of itself what a test says. */
  private final class Told implements Rail {
    private final Rail real;

    Told(Rail real) {
      this.real = real;
    }

    @Override
    public String name() {
      return real.name();
    }

    @Override
    public int index() {
      return real.index();
    }

    @Override
    public Map<String, String> attributes() {
      var told = new java.util.TreeMap<>(real.attributes());
      told.putAll(attributes);
      return told;
    }

    @Override
    public String location() {
      return locations.isEmpty() ? "" : locations.get(index());
    }
  }

  private final class Lossy implements Transport {
    private final Transport real;
    private List<? extends Rail> realRails = List.of();

    Lossy(Transport real) {
      this.real = real;
    }

    private Rail realRail(Rail rail) {
      return realRails.get(rail.index());
    }

    @Override
    public Limits limits() {
      return real.limits();
    }

    @Override
    public List<? extends Rail> start(RailListener told) {
      listener = told;
      realRails = real.start(told);
      rails = realRails.stream().map(Told::new).toList();
      return rails;
    }

    @Override
    public LaneDriver openLane(int lane, LaneListener told) {
      return real.openLane(lane, new Heard(told));
    }

    @Override
    public RegionKey register(Rail rail, Region region) {
      if (refusal.isPresent() && rail.index() == rails.size() - 1) {
        throw refusal.get();
      }
      return real.register(realRail(rail), region);
    }

    @Override
    public void unregister(RegionKey key) {
      ends.add("unregister");
      real.unregister(key);
    }

    @Override
    public void connect(ConnectRequest request) {
      real.connect(
          new ConnectRequest(
              request.id(),
              request.remote(),
              realRail(request.local()),
              request.remoteRail(),
              request.lane(),
              request.deadline()));
    }

    @Override
    public void fence(LinkId link, Consumer<Boolean> answer) {
      real.fence(link, answer);
    }

    @Override
    public void check(Rail rail, boolean anew, long deadline, Consumer<Optional<Fault>> answer) {
      checks.add(anew ? -1 - rail.index() : rail.index());
      answer.accept(found);
    }

    @Override
    public List<Insight> insights() {
      return insights;
    }

    @Override
    public boolean reaches(Remote.Node node) {
      return real.reaches(node);
    }

    @Override
    public long leave() {
      ends.add("leave");
      return real.leave();
    }

    @Override
    public void close() {
      ends.add("close");
      real.close();
    }
  }

  private final class Heard implements LaneListener {
    private final LaneListener runtime;

    Heard(LaneListener runtime) {
      this.runtime = runtime;
    }

    @Override
    public void channelUp(ConnectRequest request, Channel channel) {
      var counted = new Counted(channel);
      channels.put(channel, counted);
      runtime.channelUp(request, counted);
    }

    @Override
    public void connectFailed(ConnectRequest request, Fault fault) {
      runtime.connectFailed(request, fault);
    }

    @Override
    public void completed(Slice slice) {
      runtime.completed(slice);
    }

    @Override
    public void failed(Slice slice, Fault fault) {
      runtime.failed(slice, fault);
    }

    @Override
    public void channelDown(Channel channel, Fault fault) {
      runtime.channelDown(channels.remove(channel), fault);
    }
  }

  private final class Counted implements Channel {
    private final Channel real;

    Counted(Channel real) {
      this.real = real;
    }

    @Override
    public Link link() {
      return real.link();
    }

    @Override
    public int room() {
      return real.room();
    }

    @Override
    public void post(Slice slice, long now) {
      var check = slice.getClass().getSimpleName().equals("RailEcho");
      (check ? echoes : slices)[link().local().index()].incrementAndGet();
      if (!check || !hole[link().local().index()].get()) {
        real.post(slice, now);
      }
    }

    @Override
    public void flush(long now) {
      real.flush(now);
    }

    @Override
    public boolean fence(LinkId stale, long now) {
      return real.fence(stale, now);
    }

    @Override
    public void retire(RetireReason reason, long now) {
      real.retire(reason, now);
    }
  }
}

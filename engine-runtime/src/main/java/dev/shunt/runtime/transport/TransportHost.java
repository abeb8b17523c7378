package dev.shunt.runtime.transport;

import com.typesafe.config.Config;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Attempts;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.api.spi.Wires;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.config.TopologyConfig;
import dev.shunt.runtime.descriptor.RailMatrix;
import dev.shunt.runtime.discovery.Foreign;
import dev.shunt.runtime.observe.InboundMeter;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.observe.PathName;
import dev.shunt.runtime.transfer.Lane;
import dev.shunt.runtime.transfer.LaneRoute;
import dev.shunt.runtime.transfer.LaneServices;
import dev.shunt.runtime.transfer.core.RailOrder;
import dev.shunt.runtime.transport.core.BareRails;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transport of one engine: lends it what it needs, and joins its rails to lanes and steward.
 */
public final class TransportHost implements TransportContext, LaneServices {
  private static final Logger LOG = LoggerFactory.getLogger(TransportHost.class);

  private int index;
  private final String id;
  private final TransportSettings settings;
  private final NodeServices node;
  private final FailoverPolicy policy;
  private final Steward.PathBook paths;
  private final RailBook railBook;
  private final RailChecks checks;
  private final SupervisorAgent supervisor;
  private final Attempts attempts;
  private final ControlPlane control;
  private final MeteredRegions regions;
  private final List<Lane> lanes = new ArrayList<>();
  private final AtomicInteger routes = new AtomicInteger();
  private final Transport transport;
  private final Registrations registrations;
  private final Connects connects;
  private List<? extends Rail> rails = List.of();
  private RailMatrix topology = RailMatrix.NONE;
  private boolean asSystemSays;
  private RailOrders orders = new RailOrders(RailMatrix.NONE, List.of());

  /** Makes the transport; nothing is started. */
  public TransportHost(
      TransportProvider provider,
      TransportSettings settings,
      NodeServices node,
      FailoverPolicy policy,
      Steward steward) {
    this.id = provider.id();
    this.settings = settings;
    this.node = node;
    this.policy = policy;
    this.paths = steward.new PathBook(id, Optional.of(policy.paths(id)));
    this.supervisor = new SupervisorAgent(id, node.platform().wires());
    this.attempts = new SupervisedAttempts(node.platform(), supervisor);
    this.control = node.control(supervisor);
    this.regions = new MeteredRegions(node.regions());
    for (int i = 0; i < settings.lanes(); i++) {
      lanes.add(new Lane(i, this));
    }
    paths.nameBy(
        path ->
            new PathName(
                id, path.remote(), rails.get(path.localRail()).name(), node.remoteRail(id, path)));
    paths.onPublish(() -> lanes.forEach(Lane::wake));
    this.checks = new RailChecks(id, steward, node, supervisor, lanes, settings.connectTimeout());
    var health = policy.rails(id).orElseGet(BareRails::new);
    this.railBook = new RailBook(id, health, steward, new RailHands(paths, checks, node));
    this.transport = created(provider);
    this.registrations = new Registrations(transport, supervisor);
    this.connects = new Connects(id, transport, supervisor, lanes);
  }

  /**
   * Starts the transport; its agents have no turns yet.
   *
   * @throws dev.shunt.api.spi.TransportException if it has no rail
   */
  public void start() {
    try {
      rails =
          Objects.requireNonNull(
              transport.start(new RailNews(id, railBook, node)), "start() answered null");
      orderRails();
      checks.open(transport, rails, railBook);
      railBook.open(rails);
      for (int i = 0; i < lanes.size(); i++) {
        var lane = lanes.get(i);
        var driver = transport.openLane(i, lane.listener());
        lane.drive(Objects.requireNonNull(driver, "openLane() answered null"));
      }
    } catch (Throwable failed) {
      abandon();
      throw failed;
    }
  }

  private void orderRails() {
    var names = rails.stream().<String>map(Rail::name).toList();
    topology = TopologyConfig.read(settings.config());
    if (topology.locations().isEmpty()) {
      topology = RailMatrix.near(names, rails.stream().map(Rail::location).toList());
      asSystemSays = !topology.locations().isEmpty();
    }
    for (var text : TopologyConfig.unknown(topology, names)) {
      if (settings.config().getBoolean("strict-rails")) {
        throw new TransportException(FailureCode.NO_RAIL, text);
      }
      LOG.warn("{}: {}; it is left out", id, text);
    }
    orders = new RailOrders(topology, names);
  }

  /** Which of its rails are near to which memory, as configured. */
  public RailMatrix topology() {
    return topology;
  }

  /** Whether nobody configured the topology, and the system has rails at several places. */
  public boolean topologyIsSystems() {
    return asSystemSays;
  }

  /** Looks at it for people. */
  public Looks looks() {
    return new Looks(id, transport, supervisor, rails, settings.connectTimeout());
  }

  /** The order of its rails for memory; null if all are alike to it. Any thread. */
  public RailOrder order(String location) {
    return orders.of(location);
  }

  private Transport created(TransportProvider provider) {
    try {
      return Objects.requireNonNull(provider.create(this), "create() answered null");
    } catch (Throwable failed) {
      supervisor.close(now());
      throw failed;
    }
  }

  /** Closes what never had a turn: nothing is left behind, no selector, no listener, no device. */
  public void abandon() {
    for (var lane : lanes) {
      lane.abandon(now());
    }
    var thrown = Foreign.call(() -> closed()).thrown();
    if (thrown != null) {
      LOG.warn("{} did not start, and could not be closed: {}", id, Foreign.text(thrown));
      LOG.debug("{}, as it was thrown", id, thrown);
    }
    supervisor.close(now());
  }

  private Void closed() {
    transport.close();
    return null;
  }

  /** All of its agents: they get their turns after {@link #start}. */
  public List<Agent> agents() {
    var all = new ArrayList<Agent>(lanes);
    all.add(supervisor);
    return all;
  }

  /** Its lanes. */
  public List<Lane> laneAgents() {
    return List.copyOf(lanes);
  }

  /** The transport's slow thread. */
  public SupervisorAgent supervisorAgent() {
    return supervisor;
  }

  /** The transport itself. */
  public Transport worker() {
    return transport;
  }

  /** The transport's id. */
  public String id() {
    return id;
  }

  /** What peers ask of this node by it. */
  public InboundMeter inbound() {
    return regions.meter();
  }

  /** Takes its place among the engine's transports, before anybody else knows it. */
  public void takePlace(int place) {
    index = place;
  }

  /** Its place among the engine's transports. */
  public int index() {
    return index;
  }

  /** Registers memory on all rails; sets the keys at the index as it goes. */
  public CompletableFuture<Void> register(Region region, RegionKey[][] keys, int at) {
    return registrations.register(rails, region, keys, at);
  }

  /** Ends registrations. */
  public CompletableFuture<Void> unregister(RegionKey[] keys) {
    return registrations.unregister(keys);
  }

  /** Whether any of its rails is in use. Any thread, and cheap. */
  public boolean anyRail() {
    return paths.routes().inactive().size() < rails.size();
  }

  /** A route to a remote, and the lane that is its home. */
  public record Home(LaneRoute route, Lane lane, TransportHost host) {}

  /**
   * Makes a route.
   *
   * @param maxSlice what the remote takes
   * @param block slices are multiples of it
   */
  public Home route(Remote remote, List<RemoteRail> remoteRails, long maxSlice, int block) {
    var flow = settings.flow(transport.limits(), maxSlice, block);
    var lane = lanes.get(Math.floorMod(routes.getAndIncrement(), lanes.size()));
    return new Home(new LaneRoute(remote, remoteRails, flow, settings.queue()), lane, this);
  }

  /** What the steward knows of its paths. */
  public Steward.PathBook paths() {
    return paths;
  }

  /** What the steward knows of its rails. */
  public RailBook railBook() {
    return railBook;
  }

  // ---- what the transport is lent

  @Override
  public Config config() {
    return settings.config();
  }

  @Override
  public String node() {
    return node.name();
  }

  @Override
  public String controlAddress() {
    return node.controlAddress();
  }

  @Override
  public long generation() {
    return node.generation();
  }

  @Override
  public long now() {
    return node.platform().now();
  }

  @Override
  public long random() {
    return node.platform().random();
  }

  @Override
  public int lanes() {
    return settings.lanes();
  }

  @Override
  public Mailbox lane(int lane) {
    return lanes.get(lane);
  }

  @Override
  public Supervisor supervisor() {
    return supervisor;
  }

  @Override
  public Regions regions() {
    return regions;
  }

  @Override
  public ControlPlane control() {
    return control;
  }

  @Override
  public Wires wires() {
    return node.platform().wires();
  }

  @Override
  public Attempts attempts() {
    return attempts;
  }

  // ---- what its lanes need

  @Override
  public String transport() {
    return id;
  }

  @Override
  public List<? extends Rail> rails() {
    return rails;
  }

  @Override
  public LinkId newLink() {
    return node.newLink();
  }

  @Override
  public void connect(ConnectRequest request) {
    node.connecting(request.remote());
    connects.ask(request);
  }

  @Override
  public void fence(Remote remote, LinkId link, long deadline, Consumer<Boolean> answer) {
    node.fence(id, remote, link, deadline, answer);
  }

  @Override
  public boolean canFence(Remote remote) {
    return node.canFence(remote);
  }

  @Override
  public String silence(Remote remote) {
    return node.silence(remote);
  }

  @Override
  public void pathUp(PathId path, long link) {
    paths.connected(path, link);
  }

  @Override
  public void pathFailed(PathId path, long link, Fault fault) {
    paths.failed(path, link, fault);
    node.suspect(path);
  }

  @Override
  public void pathSucceeded(PathId path) {
    paths.succeeded(path);
  }

  @Override
  public void standing(Remote remote, boolean good, String goesOn) {
    paths.standing(remote.name(), good, goesOn);
  }

  @Override
  public void railFailed(int rail, Fault fault) {
    railBook.failed(rail, fault);
  }

  @Override
  public void railCarried(int rail) {
    railBook.carried(rail);
  }

  @Override
  public void remoteIsStale(Remote remote, String text) {
    node.remoteIsStale(remote, text);
  }

  @Override
  public void refused(Remote remote) {
    node.refused(remote);
  }

  @Override
  public Routes routes() {
    return paths.routes();
  }

  @Override
  public Journal journal() {
    return node.journal();
  }

  @Override
  public long idleSpin() {
    return settings.idleSpin();
  }

  @Override
  public FailoverPolicy policy() {
    return policy;
  }
}

package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Insight;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Limits;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.NotifyListener;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Registration;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportException;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RDMA over whatever verbs it is given. Public for tests, which give it a software fabric; the
 * runtime gets one from {@link RdmaTransportProvider}.
 */
public final class RdmaTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(RdmaTransport.class);

  /** What a device takes for a completion, about. */
  private static final int COMPLETION_BYTES = 64;

  private final TransportContext context;
  private final RdmaSettings settings;
  private final Limits limits;
  private final RailFinder found;
  private final Endpoints endpoints;
  private final List<RdmaLane> lanes = new ArrayList<>();
  private final Remnants remnants = new Remnants();
  private final RailCheck checks = new RailCheck(new Shop());
  private final Verbs verbs;
  private final QpAttempts attempts;
  private final PlainLinks plain;
  private final Registrations registrations;
  private final Connector connector;
  private final Notifications notifications;
  private final NotifyConnector notifyConnector;
  private RailListener railListener;
  private Acceptor acceptor;
  private RailWatch watch;

  /** On these verbs; does nothing yet. */
  public RdmaTransport(TransportContext context, Verbs verbs) {
    this.context = context;
    this.verbs = verbs;
    settings = RdmaSettings.of(context.config());
    int depth = settings.endpoint().numQps() * settings.endpoint().maxQpWr();
    limits =
        new Limits(
            settings.sliceSize(),
            settings.maxSlice(),
            Math.min(depth, settings.maxCqe()),
            true,
            true,
            false,
            Limits.Fencing.BY_WORD);
    registrations = new Registrations(context, settings);
    found = new RailFinder(verbs, settings, this::eventReady);
    endpoints = new Endpoints(context, settings, new Hooks());
    attempts = new QpAttempts(context);
    plain = new PlainLinks(settings.endpoint().numQps());
    notifications = new Notifications(context, settings, endpoints, attempts, lanes);
    connector = new Connector(context, settings, endpoints, attempts, plain, notifications, lanes);
    notifyConnector = new NotifyConnector(notifications);
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public List<? extends Rail> start(RailListener listener) {
    try {
      found.find();
    } catch (TransportException e) {
      found.devices().forEach(RdmaDevice::close);
      found.devices().clear();
      throw e;
    }
    railListener = listener;
    acceptor =
        new Acceptor(context, settings, found.rails(), endpoints, attempts, plain, notifications);
    watch = new RailWatch(context, settings, listener, endpoints, acceptor.all());
    found.devices().forEach(watch::watch);
    acceptor.start();
    context.control().serve(Connector.BOOTSTRAP, acceptor::handle);
    return List.copyOf(found.rails());
  }

  private void eventReady(String device) {
    context
        .supervisor()
        .execute(
            () -> {
              if (watch != null) {
                watch.drain(found.byName().get(device));
              }
            });
  }

  @Override
  public LaneDriver openLane(int lane, LaneListener listener) {
    var mine = new ArrayList<LaneQueue>();
    for (var rail : found.rails()) {
      var device = rail.device();
      int depth = Math.min(settings.maxCqe(), device.info().maxCompletions());
      try {
        mine.add(new LaneQueue(rail, device.verbs().createCq(depth)));
      } catch (VerbsException e) {
        throw new TransportException(
            FailureCode.RESOURCE,
            e.getMessage() + LockedMemory.hint(e, (long) depth * COMPLETION_BYTES),
            e);
      }
    }
    mine.forEach(queue -> queue.rail().queues().add(queue));
    var driver = new RdmaLane(context, listener, List.copyOf(mine), settings);
    lanes.add(driver);
    return driver;
  }

  @Override
  public RegionKey register(Rail rail, Region region) {
    return registrations.register((RdmaRail) rail, region);
  }

  @Override
  public void register(List<? extends Rail> rails, Region region, Consumer<Registration> answer) {
    registrations.register(rails, region, answer);
  }

  @Override
  public void unregister(RegionKey key) {
    registrations.unregister((RdmaKey) key);
  }

  @Override
  public List<Insight> insights() {
    return new RdmaInsights(settings, found, registrations, watch).list();
  }

  @Override
  public void connect(ConnectRequest request) {
    connector.connect(request);
  }

  @Override
  public boolean openNotify(int lane, int protocol, NotifyListener listener) {
    lanes.get(lane).notifications().listen(listener);
    notifications.enable(protocol);
    return true;
  }

  @Override
  public void openPort(ConnectRequest request) {
    notifyConnector.open(request);
  }

  @Override
  public void fence(LinkId link, Consumer<Boolean> answer) {
    acceptor.fence(link, answer);
  }

  @Override
  public void check(Rail rail, boolean anew, long deadline, Consumer<Optional<Fault>> answer) {
    checks.begin((RdmaRail) rail, anew, deadline, answer);
  }

  @Override
  public long leave() {
    if (acceptor == null) {
      return 0;
    }
    boolean alone = acceptor.all().size() == 0;
    acceptor.close();
    return alone ? 0 : settings.endpoint().silenceNanos();
  }

  @Override
  public void close() {
    var left = new ArrayList<String>();
    if (watch != null) {
      watch.close();
      checks.close();
      acceptor.close();
    }
    left.addAll(notifications.close());
    left.addAll(endpoints.close());
    for (var rail : found.rails()) {
      for (var queue : rail.queues()) {
        if (queue.cq().close() != 0) {
          left.add("a completion queue of " + rail);
        }
      }
    }
    left.addAll(registrations.close());
    remnants.close().forEach(remnant -> left.add(remnant.toString()));
    for (var device : found.devices()) {
      var error = registrations.busy(device) ? "it is registering memory yet" : device.close();
      if (!error.isEmpty()) {
        left.add(device.verbs().name() + " (" + error + ")");
      }
    }
    if (!left.isEmpty()) {
      LOG.warn("not closed, until the process ends: {}", left);
    }
  }

  /** Asynchronous events by type, so far. For tests. */
  public Map<Integer, Long> eventCounts() {
    return watch.counts();
  }

  private final class Hooks implements Endpoints.Hooks {
    @Override
    public void connectFailed(ConnectRequest request, Fault fault) {
      connector.failed(request, fault);
    }

    @Override
    public void ended(Endpoint endpoint) {
      connector.tellClosed(endpoint);
    }

    @Override
    public void retireAll(RdmaRail rail, Fault fault) {
      notifications.retireAll(rail, fault);
    }

    @Override
    public void loseAll(RdmaRail rail, Fault fault) {
      notifications.loseAll(rail, fault);
    }

    @Override
    public void overQuarantine(RdmaRail rail) {
      watch.giveUp(rail, "more endpoints do not drain than the quarantine holds");
    }

    @Override
    public void addressFound(RdmaRail rail, GidEntry entry) {
      if (rail.update(rail.info(), entry)) {
        railListener.changed(rail);
      }
    }
  }

  private final class Shop implements Workshop {
    @Override
    public TransportContext context() {
      return context;
    }

    @Override
    public RdmaSettings settings() {
      return settings;
    }

    @Override
    public RailFinder found() {
      return found;
    }

    @Override
    public Endpoints endpoints() {
      return endpoints;
    }

    @Override
    public PassiveEndpoints accepted() {
      return acceptor.all();
    }

    @Override
    public Registrations registrations() {
      return registrations;
    }

    @Override
    public Remnants remnants() {
      return remnants;
    }

    @Override
    public List<RdmaLane> lanes() {
      return lanes;
    }

    @Override
    public RailWatch watch() {
      return watch;
    }

    @Override
    public RdmaDevice open(String name) {
      var device = new AtomicReference<RdmaDevice>();
      var opened =
          verbs.open(
              name,
              () ->
                  context
                      .supervisor()
                      .execute(
                          () -> {
                            if (device.get() != null) {
                              watch.drain(device.get());
                            }
                          }));
      try {
        device.set(new RdmaDevice(opened));
        return device.get();
      } catch (VerbsException e) {
        opened.close();
        throw e;
      }
    }

    @Override
    public void renewed(RdmaRail rail, RdmaDevice device) {
      watch.watch(device);
      railListener.changed(rail);
    }
  }
}

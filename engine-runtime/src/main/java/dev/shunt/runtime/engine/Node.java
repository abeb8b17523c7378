package dev.shunt.runtime.engine;

import dev.shunt.api.Buffer;
import dev.shunt.api.Notification;
import dev.shunt.api.ReceivedNotification;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.agent.Spinning;
import dev.shunt.runtime.agent.TaskAgent;
import dev.shunt.runtime.config.EngineConfig;
import dev.shunt.runtime.config.Loaded;
import dev.shunt.runtime.config.TransportConfig;
import dev.shunt.runtime.control.ControlService;
import dev.shunt.runtime.control.FenceHandler;
import dev.shunt.runtime.control.HelloHandler;
import dev.shunt.runtime.control.Knock;
import dev.shunt.runtime.control.PlainFunctions;
import dev.shunt.runtime.control.PluginControl;
import dev.shunt.runtime.control.core.DataDesk;
import dev.shunt.runtime.control.core.EchoPage;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.core.HelloDesk;
import dev.shunt.runtime.control.core.OfferRules;
import dev.shunt.runtime.discovery.Discovered;
import dev.shunt.runtime.discovery.Found;
import dev.shunt.runtime.memory.BufferTable;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.InboundMeter;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.peer.Meetings;
import dev.shunt.runtime.peer.Peers;
import dev.shunt.runtime.peer.Renewing;
import dev.shunt.runtime.transport.EchoPartner;
import dev.shunt.runtime.transport.EchoRoom;
import dev.shunt.runtime.transport.MeteredRegions;
import dev.shunt.runtime.transport.NodeServices;
import dev.shunt.runtime.transport.Steward;
import dev.shunt.runtime.transport.TransportHost;
import dev.shunt.runtime.transport.TransportSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node put together: its agents, not yet with turns, and what they share. */
final class Node implements NodeServices {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);
  private static final int MOST_REMOTES = 4096;
  private static final int DELIVERIES = 1 << 20;

  final Platform platform;
  final EngineConfig config;
  final String name;
  final long generation;
  final List<String> controlAddresses;
  final Journal journal;
  final LongAdder rejected = new LongAdder();
  final Discovered discovered;
  final TaskAgent delivery = new TaskAgent("delivery", DELIVERIES);
  final InboxQueue inbox;
  final Steward steward;
  final ControlService control;
  final MetadataBackend metadata;
  final BufferTable buffers;
  final MeteredRegions plainData;
  final List<TransportHost> transports = new ArrayList<>();
  final Peers peers;
  final Notifier notifier;
  final OwnDescriptor descriptor;
  final EchoMemory echo;
  final boolean echoes;
  final Farewell farewell;
  private final PlainFunctions plain;
  private final Fences fences;
  private final AtomicLong links = new AtomicLong();
  private final Object published = new Object();

  Node(Loaded loaded, Platform platform) {
    this.platform = platform;
    this.config = loaded.config();
    // First of all: what arrives as soon as somebody listens must find a place.
    this.inbox = new InboxQueue(config.inboxSize(), delivery::execute);
    this.generation = Identity.generation(platform);
    this.journal = new Journal(platform::wallMillis);
    this.steward = new Steward(platform, journal);
    this.control = new ControlService("control", ControlPlace.options(config), platform);
    try {
      this.controlAddresses = ControlPlace.advertised(config, ControlPlace.listen(control, config));
      var workers = new Workers(loaded.discovered(), config, journal);
      this.metadata =
          workers.backend(new NodeMetadataContext(platform, control, config.metadata().section()));
      this.name = metadata.nodeName(config.name(), controlAddresses.getFirst());
      journal.name(name);
      this.buffers =
          new BufferTable(
              new Registrar(transports, this::descriptorChanged, this::bufferRemoved),
              platform.random());
      this.plainData = new MeteredRegions(buffers);
      this.notifier = new Notifier(control, config.rpcFallback());
      this.plain = servePlain();
      var policy = workers.policy();
      policy
          .peers()
          .ifPresent(
              machine ->
                  control.watch(
                      machine,
                      journal,
                      config.rpc().probeTimeout(),
                      config.control().echoInterval()));
      workers.transports(
          (provider, settings) -> start(provider, settings, policy),
          host -> {
            host.takePlace(transports.size());
            transports.add(host);
            journal.transport(Change.TRANSPORT_STARTED, host.id(), host.rails().size(), "");
          });
      if (transports.isEmpty()) {
        LOG.warn("no transport is in use: this node moves no data, whatever is asked of it");
      }
      this.discovered = workers.left();
      var offer = OwnOffer.of(discovered, config.capabilities());
      offer.dropped().forEach(LOG::info);
      var meetings =
          new Meetings(name, generation, offer.offer(), offer.required(), control, steward);
      this.peers =
          new Peers(
              this, steward, metadata, control, meetings, transports, renewing(), MOST_REMOTES);
      metadata.watch(peers::changed);
      this.fences = new Fences(control, peers);
      this.echo = new EchoMemory(generation, buffers, transports, this::descriptorChanged);
      this.echoes =
          config.control().extension() && offer.offer().find(EchoPage.CAPABILITY).isPresent();
      this.descriptor =
          new OwnDescriptor(
              name,
              generation,
              controlAddresses,
              config.control().extension(),
              buffers,
              transports,
              echo);
      this.farewell = serve(offer);
    } catch (RuntimeException | Error failed) {
      abandon();
      throw failed;
    }
  }

  /** A node that cannot be put together leaves nothing behind: no port taken, no device held. */
  private void abandon() {
    transports.forEach(TransportHost::abandon);
    control.close(platform.now());
  }

  // ---- putting together

  private TransportHost start(
      Found<TransportProvider> provider, TransportConfig settings, FailoverPolicy policy) {
    var host = new TransportHost(provider.provider(), settings(settings), this, policy, steward);
    host.start();
    return host;
  }

  private TransportSettings settings(TransportConfig transport) {
    return new TransportSettings(
        transport.section(),
        transport.lanes(),
        transport.sliceSize(),
        transport.windowSlices(),
        transport.windowBytes(),
        transport.stallLimit().toNanos(),
        config.transfer().drainLimit().toNanos(),
        config.rpc().connectTimeout().toNanos(),
        config.transfer().queue(),
        Spinning.affordable(config.transfer().idleSpin()));
  }

  private Renewing renewing() {
    return new Renewing(
        controlAddress(),
        platform::now,
        config.metadata().descriptorTtl().toNanos(),
        config.rpc().requestTimeout().toNanos(),
        config.rpc().probeTimeout().toNanos());
  }

  /** Before the transports: some of it stands for those that serve it better. */
  private PlainFunctions servePlain() {
    var rpc = config.rpc();
    control.serveData(new DataDesk(plainData, rpc.maxRead(), rpc.maxWrite()));
    return PlainFunctions.install(
        control,
        name,
        () -> descriptor.text(),
        (about, message) ->
            inbox.offer(new ReceivedNotification(new Notification(about, message), "control")),
        segment -> peers.changed(segment));
  }

  private Farewell serve(OfferRules.Result offer) {
    var greetings = new HelloDesk(generation, offer.offer(), offer.required(), MOST_REMOTES);
    var desk = FenceDesk.of(transports);
    var extension = config.control().extension();
    if (extension) {
      control.serve(Functions.HELLO, new HelloHandler(greetings::answer));
      control.serve(Functions.FENCE, new FenceHandler(generation, desk::serve));
    }
    return new Farewell(control, desk, greetings, extension, platform);
  }

  /** What peers ask of this node, by transport; the control plane's is {@code control}. */
  Map<String, InboundMeter> inbound() {
    var meters = new LinkedHashMap<String, InboundMeter>();
    transports.forEach(host -> meters.put(host.id(), host.inbound()));
    meters.put("control", plainData.meter());
    return meters;
  }

  /** All agents, in the order in which they are to have their first turns. */
  List<Agent> agents() {
    var all = new ArrayList<Agent>();
    all.add(delivery);
    all.add(steward);
    for (var host : transports) {
      all.addAll(host.agents());
    }
    all.add(control);
    return all;
  }

  // ---- what transports are lent

  @Override
  public String name() {
    return name;
  }

  @Override
  public String controlAddress() {
    return controlAddresses.getFirst();
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public Platform platform() {
    return platform;
  }

  @Override
  public Journal journal() {
    return journal;
  }

  @Override
  public String remoteRail(String transport, PathId path) {
    for (var state : peers.known()) {
      if (state.remote().name().equals(path.remote()) && state.generation() == path.generation()) {
        for (var way : state.ways()) {
          if (way.host().id().equals(transport)) {
            return way.route().rails().get(path.remoteRail()).name();
          }
        }
      }
    }
    return Integer.toString(path.remoteRail());
  }

  @Override
  public Regions regions() {
    return buffers;
  }

  @Override
  public ControlPlane control(Mailbox supervisor) {
    return new PluginControl(control, supervisor, node -> peers.addresses(node));
  }

  @Override
  public LinkId newLink() {
    return new LinkId(generation, links.incrementAndGet());
  }

  @Override
  public boolean canFence(Remote remote) {
    return Fences.canAsk(remote);
  }

  @Override
  public String silence(Remote remote) {
    return remote instanceof Remote.Node peer
        ? control.unreachable(peers.addresses(peer)).map(control::describe).orElse("")
        : "";
  }

  @Override
  public void fence(
      String transport, Remote remote, LinkId link, long deadline, Consumer<Boolean> answer) {
    fences.ask(transport, remote, link, deadline, answer);
  }

  @Override
  public void remoteIsStale(Remote remote, String text) {
    peers.stale(remote, text);
  }

  @Override
  public void refused(Remote remote) {
    peers.refused(remote);
  }

  @Override
  public void suspect(PathId path) {
    peers.suspect(
        path.remote(), path.generation(), platform.now() + config.rpc().probeTimeout().toNanos());
  }

  /** The old text is void at once; who writes the new one is the steward, and not a lane. */
  private void bufferRemoved() {
    if (descriptor != null && descriptor.changed()) {
      steward.execute(this::descriptorChanged);
    }
  }

  @Override
  public void connecting(Remote remote) {
    if (remote instanceof Remote.Node peer && peer.generation() != 0) {
      peers.silence().connecting(peer, config.rpc().probeTimeout().toNanos());
    }
  }

  @Override
  public List<EchoPartner> echoPartners(String transport) {
    return echoes
        ? peers.known().stream()
            .flatMap(
                state ->
                    state
                        .partner(transport, where -> control.unreachable(where).isPresent())
                        .stream())
            .toList()
        : List.of();
  }

  @Override
  public void isThere(EchoPartner partner, long deadline, Consumer<Boolean> answer) {
    var until = Math.min(deadline, platform.now() + config.rpc().probeTimeout().toNanos());
    Knock.at(control, partner.control(), until, answer);
  }

  @Override
  public Optional<EchoRoom> echoRoom(String transport, int rail, int place) {
    return echo.room(transport, rail, place);
  }

  /** Where memory is taken to lie of which nobody says it. */
  String place() {
    return transports.stream().anyMatch(TransportHost::topologyIsSystems)
        ? Buffer.ANYWHERE
        : Buffer.HOST;
  }

  @Override
  public void descriptorChanged() {
    if (descriptor != null && descriptor.changed()) {
      publish();
      plain.changed();
    }
  }

  /** One at a time: supervisors and the steward tell of changes, and no older text goes last. */
  private void publish() {
    synchronized (published) {
      var text = descriptor.text();
      metadata.publish(name, new String(text, StandardCharsets.UTF_8));
      journal.descriptorPublished(text.length);
    }
  }
}

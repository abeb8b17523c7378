package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.transport.tcp.core.Admission;
import dev.shunt.transport.tcp.core.Bye;
import dev.shunt.transport.tcp.core.FencedLinks;
import dev.shunt.transport.tcp.core.Preamble;
import dev.shunt.transport.tcp.core.Requester;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the streams of one lane, those that were opened here and those that were accepted here.
 */
final class TcpLane implements LaneDriver {
  private static final Logger log = LoggerFactory.getLogger(TcpLane.class);
  private static final int GREETING_SIZE = 256;

  private final int number;
  private final TransportContext context;
  private final TcpSettings settings;
  private final Lanes lanes;
  private final WireLoop loop;
  private final StagingPool staging;
  private final StagingPool greetings = new StagingPool(GREETING_SIZE);
  private final FencedLinks fenced = new FencedLinks();
  private final Map<Integer, TcpListener> rails = new LinkedHashMap<>();
  private final Map<LinkId, TcpInbound> known = new HashMap<>();
  private final LinkedHashSet<TcpInbound> inbounds = new LinkedHashSet<>();
  private final LinkedHashSet<TcpDial> dials = new LinkedHashSet<>();
  private final LinkedHashSet<TcpChannel> channels = new LinkedHashSet<>();
  private final ArrayDeque<TcpChannel> ended = new ArrayDeque<>();
  private LaneListener listener;
  private long wakeAt = Long.MAX_VALUE;
  private boolean closed;

  TcpLane(int number, TransportContext context, TcpSettings settings, Lanes lanes, WireLoop loop) {
    this.number = number;
    this.context = context;
    this.settings = settings;
    this.lanes = lanes;
    this.loop = loop;
    this.staging = new StagingPool(settings.bufferSize());
  }

  /** On the supervisor thread, before the lane runs. */
  InetSocketAddress listen(int rail, InetSocketAddress address) {
    int depth = Requester.depthFor(settings.depth());
    var admission = new Admission(context.generation(), rail, depth, settings.maxSlice());
    var accepting = new TcpListener(this, admission, settings);
    var server = loop.listen(address, accepting);
    rails.put(rail, accepting);
    return server.address();
  }

  /** On the supervisor thread, before the lane runs. */
  void opened(LaneListener listener) {
    this.listener = listener;
  }

  /** On the supervisor thread: closes what no lane thread owns. */
  void closeUnopened() {
    if (listener == null && !closed) {
      closed = true;
      loop.close();
    }
  }

  /** Whether streams are accepted here; settled before any lane runs. */
  boolean serves() {
    return !rails.isEmpty();
  }

  @Override
  public int work(long now) {
    if (closed) {
      return 0;
    }
    int work = loop.poll(now);
    if (now >= wakeAt) {
      work += expire(now);
    }
    return work + report();
  }

  @Override
  public long nextDeadline() {
    return ended.isEmpty() ? wakeAt : context.now();
  }

  @Override
  public void park(long deadline) {
    loop.park(deadline);
  }

  /** A socket takes what is written to it while others wait for it to be ready. */
  @Override
  public boolean postsWhileParked() {
    return true;
  }

  @Override
  public void wake() {
    loop.wake();
  }

  @Override
  public void close(long now) {
    if (closed) {
      return;
    }
    closed = true;
    var cause =
        Faults.possible(Fault.Blame.NEUTRAL, FailureCode.CLOSED, "the transport was closed");
    List.copyOf(dials).forEach(dial -> dial.fail(cause));
    List.copyOf(channels).forEach(channel -> channel.broke(cause));
    report();
    List.copyOf(inbounds).forEach(inbound -> inbound.end(Bye.CLOSING));
    loop.close();
  }

  void connect(ConnectRequest request) {
    var address = TcpRail.addressOf(request.remoteRail());
    if (closed) {
      refuse(request, Fault.Blame.NEUTRAL, FailureCode.CLOSED, "the transport was closed");
    } else if (!(request.remote() instanceof Remote.Node node)
        || node.verdict().version(TcpTransportProvider.STREAM) == 0) {
      refuse(
          request,
          Fault.Blame.NEUTRAL,
          FailureCode.CAPABILITY,
          request.remote().name()
              + " and this node did not agree on "
              + TcpTransportProvider.STREAM);
    } else if (address.isEmpty()) {
      refuse(
          request,
          Fault.Blame.REMOTE,
          FailureCode.PROTOCOL,
          "the remote published no address and port for its rail: "
              + request.remoteRail().attributes());
    } else {
      dial(request, node, address.get());
    }
  }

  private void dial(ConnectRequest request, Remote.Node node, InetSocketAddress address) {
    var preamble =
        new Preamble(
            node.verdict().version(TcpTransportProvider.STREAM),
            0,
            Requester.depthFor(settings.depth()),
            request.id().generation(),
            node.generation(),
            request.id().attempt(),
            request.remoteRail().index(),
            settings.maxSlice());
    var dial = new TcpDial(request, this, preamble);
    dials.add(dial);
    arm(request.deadline());
    try {
      dial.begun(loop.connect(((TcpRail) request.local()).bind(), address, dial));
    } catch (TransportException e) {
      dial.fail(Faults.none(Fault.Blame.LOCAL, e.code(), e.getMessage()));
    }
  }

  private void refuse(ConnectRequest request, Fault.Blame blame, FailureCode code, String text) {
    listener.connectFailed(request, Faults.none(blame, code, text));
  }

  /** Answers a connect request. */
  void dialed(TcpDial dial, Optional<TcpChannel> channel, Fault fault) {
    dials.remove(dial);
    if (channel.isPresent()) {
      channels.add(channel.get());
      listener.channelUp(dial.request(), channel.get());
    } else {
      listener.connectFailed(dial.request(), fault);
    }
  }

  /** A channel is down, to be reported from the next work. */
  void ended(TcpChannel channel) {
    ended.add(channel);
    loop.wake();
  }

  private int report() {
    int count = 0;
    for (var channel = ended.poll(); channel != null; channel = ended.poll()) {
      channels.remove(channel);
      channel.report(listener);
      count++;
    }
    return count;
  }

  /** Sees to it that deadlines are looked at by then. */
  void arm(long deadline) {
    wakeAt = Math.min(wakeAt, deadline);
  }

  private int expire(long now) {
    wakeAt = Long.MAX_VALUE;
    int count = 0;
    for (var dial : List.copyOf(dials)) {
      if (dial.request().deadline() <= now) {
        dial.expire();
        count++;
      } else {
        arm(dial.request().deadline());
      }
    }
    for (var inbound : List.copyOf(inbounds)) {
      if (inbound.deadline() <= now) {
        inbound.expire();
        count++;
      } else {
        arm(inbound.deadline());
      }
    }
    return count;
  }

  void adopt(TcpInbound inbound) {
    inbounds.add(inbound);
    arm(inbound.deadline());
  }

  void serving(LinkId link, TcpInbound inbound) {
    known.put(link, inbound);
  }

  void dropped(TcpInbound inbound, String why) {
    inbounds.remove(inbound);
    inbound.link().ifPresent(link -> known.remove(link, inbound));
    log.debug("lane {} dropped inbound stream {}: {}", number, inbound.link(), why);
  }

  boolean knows(LinkId link) {
    return known.containsKey(link);
  }

  boolean isFenced(LinkId link) {
    return fenced.contains(link);
  }

  /** From here on the link changes no memory through this lane. */
  void fence(LinkId link) {
    fenced.add(link);
    var stale = known.get(link);
    if (stale != null) {
      stale.fence();
    }
  }

  /** A stream of this lane brought a fence; answers whether it is done. */
  boolean fence(LinkId link, TcpInbound by) {
    fence(link);
    var round = new FenceRound(context.lane(number), _ -> by.fenced(context.now()));
    return lanes.fence(link, number, round);
  }

  void holdReading(int rail, boolean hold) {
    var held = rails.get(rail);
    held.hold(hold);
    for (var inbound : List.copyOf(inbounds)) {
      if (inbound.rail() == held) {
        inbound.hold(hold, context.now());
      }
    }
  }

  void defect(String where, RuntimeException defect) {
    log.error("lane {}: a defect in {}; it is closed", number, where, defect);
  }

  TcpSettings settings() {
    return settings;
  }

  StagingPool staging() {
    return staging;
  }

  /** Small ones, for streams whose handshake is under way. */
  StagingPool greetings() {
    return greetings;
  }

  Regions regions() {
    return context.regions();
  }

  LaneListener listener() {
    return listener;
  }
}

package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.transport.tcp.core.Bye;
import dev.shunt.transport.tcp.core.FencedLinks;
import dev.shunt.transport.tcp.core.Requester;
import dev.shunt.transport.tcp.core.Views;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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
  private final LaneRails rails;
  private final Views views = new Views();
  private final Map<LinkId, List<TcpInbound>> known = new HashMap<>();
  private final LinkedHashSet<TcpInbound> inbounds = new LinkedHashSet<>();
  private final LaneDials dials;
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
    this.dials = new LaneDials(this, context::now);
    this.rails = new LaneRails(this, context.generation(), context::now);
  }

  /** On the supervisor thread, before the lane runs. */
  InetSocketAddress listen(int rail, InetSocketAddress address) {
    return rails.listen(rail, address, Requester.depthFor(settings.depth()), settings.maxSlice());
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
    rails.close();
    dials.close(cause);
    List.copyOf(channels).forEach(channel -> channel.broke(cause));
    report();
    List.copyOf(inbounds).forEach(inbound -> inbound.end(Bye.CLOSING));
    loop.close();
  }

  /** A link is up: what it carries is seen to from here on. */
  void up(ConnectRequest request, TcpChannel channel) {
    channels.add(channel);
    if (settings.keepAliveInterval() > 0) {
      arm(context.now() + settings.keepAliveInterval());
    }
    listener.channelUp(request, channel);
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
    int count = dials.expire(now);
    for (var inbound : List.copyOf(inbounds)) {
      if (inbound.deadline() <= now) {
        inbound.expire();
        count++;
      } else {
        arm(inbound.deadline());
      }
    }
    return count + rails.expire(now) + keepAlive(now);
  }

  private int keepAlive(long now) {
    if (settings.keepAliveInterval() == 0) {
      return 0;
    }
    for (var channel : channels) {
      if (channel.keepsAlive()) {
        arm(channel.keepAlive(now, settings.keepAliveInterval(), settings.keepAliveTimeout()));
      }
    }
    return 0;
  }

  void adopt(TcpInbound inbound) {
    inbounds.add(inbound);
    arm(inbound.deadline());
  }

  void serving(LinkId link, TcpInbound inbound) {
    known.computeIfAbsent(link, _ -> new ArrayList<>(1)).add(inbound);
  }

  void dropped(TcpInbound inbound, String why) {
    inbounds.remove(inbound);
    inbound
        .link()
        .ifPresent(
            link ->
                known.computeIfPresent(
                    link,
                    (_, streams) -> streams.remove(inbound) && streams.isEmpty() ? null : streams));
    log.debug("lane {} dropped inbound stream {}: {}", number, inbound.link(), why);
  }

  /** Whether that stream of a link is up. */
  boolean knows(LinkId link, int stream) {
    return known.getOrDefault(link, List.of()).stream().anyMatch(it -> it.number() == stream);
  }

  boolean isFenced(LinkId link) {
    return fenced.contains(link) || rails.isCheck(link);
  }

  /** From here on the link changes no memory through this lane. */
  void fence(LinkId link) {
    fenced.add(link);
    List.copyOf(known.getOrDefault(link, List.of())).forEach(TcpInbound::fence);
  }

  /** A stream of this lane brought a fence; answers whether it is done. */
  boolean fence(LinkId link, TcpInbound by) {
    fence(link);
    var round = new FenceRound(context.lane(number), _ -> by.fenced(context.now()));
    return lanes.fence(link, number, round);
  }

  void holdReading(int rail, boolean hold) {
    var held = rails.listener(rail).orElseThrow();
    held.hold(hold);
    for (var inbound : List.copyOf(inbounds)) {
      if (inbound.rail() == held) {
        inbound.hold(hold, context.now());
      }
    }
  }

  /** A rail can carry nothing: all that it has here ends. */
  void railLost(int rail, Fault fault) {
    dials.railLost(rail, fault);
    var cause = Faults.possible(fault.blame(), fault.code(), fault.text());
    for (var channel : List.copyOf(channels)) {
      if (channel.link().local().index() == rail) {
        channel.broke(cause);
      }
    }
    var lost = rails.listener(rail);
    for (var inbound : List.copyOf(inbounds)) {
      if (lost.filter(it -> it == inbound.rail()).isPresent()) {
        inbound.lost(fault.text());
      }
    }
  }

  /** Looks whether a rail on which it listens works. */
  void check(TcpRail rail, boolean anew, long deadline, Consumer<Optional<Fault>> answer) {
    if (closed) {
      answer.accept(
          Optional.of(
              Faults.none(Fault.Blame.NEUTRAL, FailureCode.CLOSED, "the transport was closed")));
    } else {
      rails.check(rail, anew, deadline, answer);
    }
  }

  /** The links that it opens. */
  LaneDials dials() {
    return dials;
  }

  /** The rails that it listens on. */
  LaneRails rails() {
    return rails;
  }

  int number() {
    return number;
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

  /** Views of memory that its streams share. */
  Views views() {
    return views;
  }

  WireLoop loop() {
    return loop;
  }

  Regions regions() {
    return context.regions();
  }

  boolean closed() {
    return closed;
  }

  LaneListener listener() {
    return listener;
  }
}

package dev.shunt.runtime.plain;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.runtime.control.PlainFunctions;
import dev.shunt.runtime.descriptor.DescriptorLimits;
import dev.shunt.runtime.descriptor.DescriptorReader;
import dev.shunt.runtime.json.MalformedException;
import dev.shunt.runtime.plain.core.PeerRanges;
import dev.shunt.runtime.plain.core.PlainRequester;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drives the connections of one lane. */
final class PlainLane implements LaneDriver {
  private static final Logger LOG = LoggerFactory.getLogger(PlainLane.class);
  private static final int STAGING = 64 << 10;
  private static final int COPY_LIMIT = 16 << 10;

  private final int number;
  private final TransportContext context;
  private final PlainSettings settings;
  private final MemorySegment subscription;
  private final WireLoop loop;
  private final ArrayDeque<MemorySegment> staging = new ArrayDeque<>();
  private final LinkedHashSet<PlainChannel> dials = new LinkedHashSet<>();
  private final LinkedHashSet<PlainChannel> channels = new LinkedHashSet<>();
  private final ArrayDeque<PlainChannel> ended = new ArrayDeque<>();
  private LaneListener listener;
  private long wakeAt = Long.MAX_VALUE;
  private boolean closed;

  PlainLane(int number, TransportContext context, PlainSettings settings) {
    this.number = number;
    this.context = context;
    this.settings = settings;
    this.loop = context.wires().open("tent-lane-" + number);
    var text = PlainFunctions.named(context.controlAddress());
    subscription = Arena.ofAuto().allocate(text.length).copyFrom(MemorySegment.ofArray(text));
  }

  /** On the supervisor thread, before the lane runs. */
  void opened(LaneListener laneListener) {
    listener = laneListener;
  }

  /** On the supervisor thread: closes what no lane thread owns. */
  void closeUnopened() {
    if (listener == null && !closed) {
      closed = true;
      loop.close();
    }
  }

  @Override
  public int work(long now) {
    if (closed) {
      return 0;
    }
    int work = loop.poll(now);
    if (now - wakeAt >= 0) {
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
    List.copyOf(dials).forEach(dial -> dial.broke(PlainFaults.closed()));
    List.copyOf(channels).forEach(channel -> channel.broke(PlainFaults.closed()));
    report();
    loop.close();
  }

  void connect(ConnectRequest request, InetSocketAddress address) {
    if (closed) {
      refuse(request, PlainFaults.none(Blame.NEUTRAL, FailureCode.CLOSED, "the engine is closed"));
      return;
    }
    var dial = new PlainChannel(request, this);
    dials.add(dial);
    wakeAt = Math.min(wakeAt, request.deadline());
    try {
      dial.begun(loop.connect(((PlainRail) request.local()).bind(), address, dial));
    } catch (TransportException e) {
      dial.broke(PlainFaults.none(Blame.LOCAL, e.code(), e.getMessage()));
    }
  }

  void refuse(ConnectRequest request, Fault fault) {
    listener.connectFailed(request, fault);
  }

  private int expire(long now) {
    wakeAt = Long.MAX_VALUE;
    int count = 0;
    for (var dial : List.copyOf(dials)) {
      if (dial.deadline() - now <= 0) {
        dial.expire();
        count++;
      } else {
        wakeAt = Math.min(wakeAt, dial.deadline());
      }
    }
    for (var channel : channels) {
      long end = channel.idleSince(now) + settings.idleTimeout();
      if (end - now <= 0) {
        channel.rest();
        count++;
      } else {
        wakeAt = Math.min(wakeAt, end);
      }
    }
    return count;
  }

  // ---- for its channels

  /** It is up. */
  void up(PlainChannel channel, ConnectRequest request) {
    dials.remove(channel);
    channels.add(channel);
    wakeAt = Math.min(wakeAt, context.now() + settings.idleTimeout());
    listener.channelUp(request, channel);
  }

  /** It is down, or never came up: to be reported from the next work. */
  void ended(PlainChannel channel) {
    ended.add(channel);
    loop.wake();
  }

  private int report() {
    int count = 0;
    for (var channel = ended.poll(); channel != null; channel = ended.poll()) {
      dials.remove(channel);
      channels.remove(channel);
      channel.report(listener);
      count++;
    }
    return count;
  }

  /** Reads a descriptor where it holds nobody up, and brings it back. */
  void read(PlainChannel channel, String peer, byte[] text) {
    context
        .supervisor()
        .execute(
            () -> {
              PeerRanges ranges;
              try {
                ranges = PeerRanges.of(DescriptorReader.read(peer, text, DescriptorLimits.DEFAULT));
              } catch (MalformedException e) {
                context.lane(number).execute(() -> channel.unreadable(e.getMessage()));
                return;
              }
              context.lane(number).execute(() -> channel.described(ranges));
            });
  }

  PlainRequester.Parts parts() {
    return new PlainRequester.Parts(take(), take(), COPY_LIMIT, settings.depth(), subscription);
  }

  private MemorySegment take() {
    var free = staging.pollLast();
    return free != null ? free : Arena.ofAuto().allocate(STAGING);
  }

  void give(PlainRequester.Parts parts) {
    staging.add(parts.in());
    staging.add(parts.out());
  }

  void defect(RuntimeException thrown) {
    LOG.error("tent lane {}: a defect in a connection; it is closed", number, thrown);
  }

  LaneListener listener() {
    return listener;
  }
}

package org.example.shunt.unix;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.TransportContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One selector with the channels of a lane; that of the first lane serves the peers too. */
final class UnixLane implements LaneDriver {
  private static final int MOST_FENCED = 4096;

  private final TransportContext context;
  private final UnixSettings settings;
  private final LaneListener listener;
  private final Selector selector;
  private final Consumer<SelectionKey> dispatch = this::dispatch;
  private final List<UnixChannel> channels = new ArrayList<>();
  private final List<Inbound> inbound = new ArrayList<>();
  private final LinkedHashSet<LinkId> fenced = new LinkedHashSet<>();
  private final MemorySegment waste = Arena.ofAuto().allocate(64 << 10);
  private long now;
  private long looked;

  UnixLane(
      TransportContext context,
      UnixSettings settings,
      LaneListener listener,
      List<UnixRail> serve) {
    this.context = context;
    this.settings = settings;
    this.listener = listener;
    try {
      selector = Selector.open();
      for (var rail : serve) {
        rail.server().register(selector, SelectionKey.OP_ACCEPT, rail);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a lane of the transport unix has no selector", e);
    }
  }

  // ---- the lane

  @Override
  public int work(long time) {
    now = time;
    try {
      int done = selector.selectNow(dispatch);
      // Deadlines are of milliseconds; to look at each stream in each turn would cost more.
      if (time - looked >= 1_000_000) {
        looked = time;
        done += expire();
      }
      return done;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void dispatch(SelectionKey key) {
    if (!key.isValid()) {
      return;
    }
    if (key.attachment() instanceof Stream.Handler handler) {
      handler.ready(now);
    } else {
      accept((UnixRail) key.attachment());
    }
  }

  private int expire() {
    int done = 0;
    for (int i = channels.size() - 1; i >= 0; i--) {
      done += channels.get(i).expire(now) ? 1 : 0;
    }
    for (int i = inbound.size() - 1; i >= 0; i--) {
      done += inbound.get(i).expire(now) ? 1 : 0;
    }
    return done;
  }

  @Override
  public long nextDeadline() {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < channels.size(); i++) {
      next = Math.min(next, channels.get(i).deadline());
    }
    for (int i = 0; i < inbound.size(); i++) {
      next = Math.min(next, inbound.get(i).deadline());
    }
    return next;
  }

  @Override
  public void park(long deadline) {
    try {
      if (deadline == Long.MAX_VALUE) {
        selector.select();
      } else {
        long millis = TimeUnit.NANOSECONDS.toMillis(deadline - context.now() + 999_999);
        if (millis > 0) {
          selector.select(millis);
        }
      }
      // What is ready is still so when work asks.
      selector.selectedKeys().clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void wake() {
    selector.wakeup();
  }

  @Override
  public void close(long time) {
    now = time;
    for (int i = channels.size() - 1; i >= 0; i--) {
      channels.get(i).closed();
    }
    abandon();
  }

  /** Closes every socket without a word, as the end of the process would. */
  void abandon() {
    for (int i = inbound.size() - 1; i >= 0; i--) {
      inbound.get(i).end();
    }
    try {
      for (var key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- what channels need

  LaneListener listener() {
    return listener;
  }

  void remove(UnixChannel channel) {
    channels.remove(channel);
  }

  /** Begins to connect. */
  void connect(ConnectRequest request) {
    var path = UnixRail.reach(request.remoteRail());
    if (path.isEmpty()) {
      refuse(request, "its rail " + request.remoteRail().name() + " is on another machine");
      return;
    }
    try {
      channels.add(new UnixChannel(this, selector, request, path.get()));
    } catch (IOException e) {
      refuse(request, "cannot connect to " + path.get() + ": " + e.getMessage());
    }
  }

  private void refuse(ConnectRequest request, String text) {
    var fault = new Fault(Fault.Blame.REMOTE, FailureCode.CONNECTION, Fault.Effect.NONE, text);
    listener.connectFailed(request, fault);
  }

  // ---- what peers are served by

  TransportContext context() {
    return context;
  }

  UnixSettings settings() {
    return settings;
  }

  /** Where refused bytes go. */
  MemorySegment waste() {
    return waste;
  }

  List<Inbound> inbound() {
    return inbound;
  }

  private void accept(UnixRail rail) {
    try {
      var socket = rail.server().accept();
      if (socket != null) {
        inbound.add(new Inbound(this, selector, socket, rail.index(), now));
      }
    } catch (IOException e) {
      System.getLogger(UnixLane.class.getName())
          .log(System.Logger.Level.WARNING, "unix: a peer could not be accepted: {0}", e);
    }
  }

  boolean isFenced(LinkId link) {
    return fenced.contains(link);
  }

  /**
   * From here on nothing of that link changes memory. A link that is not there is remembered until
   * so many others were fenced after it that it cannot be on its way any more.
   */
  void fence(LinkId link) {
    for (int i = inbound.size() - 1; i >= 0; i--) {
      if (link.equals(inbound.get(i).link())) {
        inbound.get(i).end();
      }
    }
    if (fenced.add(link) && fenced.size() > MOST_FENCED) {
      fenced.removeFirst();
    }
  }
}

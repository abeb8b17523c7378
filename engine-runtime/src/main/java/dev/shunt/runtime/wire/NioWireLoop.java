package dev.shunt.runtime.wire;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.WireServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A selector and its streams. */
final class NioWireLoop implements WireLoop {
  private static final Logger LOG = LoggerFactory.getLogger(NioWireLoop.class);

  private final String name;
  private final Selector selector;
  private final ViewCache views = new ViewCache();
  private final Consumer<SelectionKey> dispatch = this::dispatch;
  private final Consumer<SelectionKey> keep = this::keep;
  private final ArrayDeque<NioWire> refused = new ArrayDeque<>();
  private final ArrayDeque<SelectionKey> kept = new ArrayDeque<>();
  private volatile boolean parked;
  private final ArrayDeque<NioWireServer> resting = new ArrayDeque<>();
  private boolean asked;
  private long now;

  NioWireLoop(String name) throws IOException {
    this.name = name;
    this.selector = Selector.open();
  }

  ViewCache views() {
    return views;
  }

  @Override
  public Wire connect(InetSocketAddress local, InetSocketAddress remote, WireHandler handler) {
    SocketChannel channel = null;
    try {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.bind(local);
      var connected = connect(channel, remote);
      var key = channel.register(selector, SelectionKey.OP_CONNECT);
      var wire = new NioWire(this, channel, key, handler, remote);
      key.attach(wire);
      wire.connecting(connected);
      return wire;
    } catch (IOException | IllegalArgumentException e) {
      closeQuietly(channel);
      throw new TransportException(
          FailureCode.DEVICE,
          "cannot connect from " + local + " to " + remote + ": " + e.getMessage(),
          e);
    }
  }

  /** A refusal that is known at once is reported like a later one. */
  private static IOException connect(SocketChannel channel, InetSocketAddress remote)
      throws IOException {
    if (remote.isUnresolved()) {
      return new IOException("no such host: " + remote.getHostString());
    }
    try {
      channel.connect(remote);
      return null;
    } catch (IOException refused) {
      return refused;
    }
  }

  @Override
  public WireServer listen(InetSocketAddress address, WireServer.Handler handler) {
    ServerSocketChannel channel = null;
    try {
      channel = ServerSocketChannel.open();
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(address, 1024);
      var server = new NioWireServer(this, channel, handler);
      server.key(channel.register(selector, SelectionKey.OP_ACCEPT, server));
      return server;
    } catch (IOException | RuntimeException e) {
      closeQuietly(channel);
      throw new TransportException(
          FailureCode.RESOURCE, "cannot listen on " + address + ": " + e.getMessage(), e);
    }
  }

  /** Its refusal is reported by the next poll. */
  void later(NioWire wire) {
    refused.add(wire);
    wake();
  }

  /** It accepts nothing until its rest is over. */
  void resting(NioWireServer server) {
    resting.add(server);
  }

  private void resume(long time) {
    for (int i = resting.size(); i > 0; i--) {
      var server = resting.poll();
      if (time - server.restsUntil() >= 0) {
        server.resume();
      } else {
        resting.add(server);
      }
    }
  }

  /** The time to wait to, or earlier where a server's rest is over before. */
  private long firstOf(long deadline) {
    long first = deadline;
    for (var server : resting) {
      first = Math.min(first, server.restsUntil());
    }
    return first;
  }

  SelectionKey register(SocketChannel channel) throws IOException {
    return channel.register(selector, SelectionKey.OP_READ);
  }

  @Override
  public int poll(long time) {
    now = time;
    int done = 0;
    if (!resting.isEmpty()) {
      resume(time);
    }
    NioWire known;
    while ((known = refused.poll()) != null) {
      known.finishConnect(time);
      done++;
    }
    if (asked) {
      asked = false;
      return done + dispatchKept();
    }
    try {
      return done + selector.selectNow(dispatch);
    } catch (IOException e) {
      LOG.error("the selector of {} failed", name, e);
      return done;
    }
  }

  private int dispatchKept() {
    int count = kept.size();
    for (int i = 0; i < count; i++) {
      dispatch(kept.poll());
    }
    return count;
  }

  private void dispatch(SelectionKey key) {
    if (!key.isValid()) {
      return;
    }
    try {
      if (key.attachment() instanceof NioWire wire) {
        // What a key was ready for while the loop was parked may not be wanted any more.
        wire.ready(key.readyOps() & key.interestOps(), now);
      } else if (key.attachment() instanceof NioWireServer server) {
        server.ready(now);
      }
    } catch (RuntimeException thrown) {
      LOG.error("a handler of {} threw; its stream is closed", name, thrown);
      if (key.attachment() instanceof NioWire wire) {
        wire.broken(thrown, now);
      }
    }
  }

  @Override
  public void park(long until) {
    long deadline = resting.isEmpty() ? until : firstOf(until);
    try {
      if (deadline == Long.MAX_VALUE) {
        parkFor(0);
        return;
      }
      var nanos = deadline - System.nanoTime();
      if (nanos > 0) {
        // The selector counts in milliseconds: rounded up, or the loop would spin before a
        // deadline.
        parkFor(Math.max(1, (nanos + 999_999) / 1_000_000));
      }
    } catch (IOException e) {
      LOG.error("the selector of {} failed", name, e);
    }
  }

  /**
   * Only waits: what is ready is kept for the next poll, which need not ask the system again. The
   * selector's own set of keys is not used, since it allocates for every key.
   */
  private void parkFor(long millis) throws IOException {
    if (kept.isEmpty()) {
      parked = true;
      try {
        selector.select(keep, millis);
      } finally {
        parked = false;
      }
      asked = true;
    }
  }

  /** A selector that waits does not notice what else is wanted of it. */
  void wantsChanged() {
    if (parked) {
      selector.wakeup();
    }
  }

  private void keep(SelectionKey key) {
    kept.add(key);
  }

  @Override
  public void wake() {
    selector.wakeup();
  }

  @Override
  public void close() {
    for (var key : selector.keys()) {
      closeQuietly(key.channel());
    }
    closeQuietly(selector);
  }

  static void closeQuietly(AutoCloseable resource) {
    if (resource == null) {
      return;
    }
    try {
      resource.close();
    } catch (Exception e) {
      debug(resource, e);
    }
  }

  /** What fails while something is given up anyway is no news. */
  static void debug(Object what, Exception e) {
    LOG.debug("giving up {}: {}", what, e.toString());
  }
}

package dev.shunt.api.contract;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.WireServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Real sockets for a {@link RealStage}. Small and plain: what applications run on is elsewhere. */
final class RealLoop implements WireLoop {
  private final Selector selector;
  private final Consumer<SelectionKey> dispatch = this::dispatch;
  private final ArrayDeque<RealWire> refused = new ArrayDeque<>();
  private long now;

  RealLoop() {
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Wire connect(InetSocketAddress local, InetSocketAddress remote, WireHandler handler) {
    try {
      var channel = SocketChannel.open();
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.bind(local);
      var key = channel.register(selector, SelectionKey.OP_CONNECT);
      var wire = new RealWire(channel, key, handler, remote, false);
      key.attach(wire);
      if (!wire.begin()) {
        refused.add(wire);
      }
      return wire;
    } catch (IOException e) {
      throw new TransportException(FailureCode.DEVICE, "cannot connect from " + local, e);
    }
  }

  @Override
  public WireServer listen(InetSocketAddress address, WireServer.Handler handler) {
    try {
      var channel = ServerSocketChannel.open();
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(address, 128);
      channel.register(selector, SelectionKey.OP_ACCEPT, handler);
      var bound = (InetSocketAddress) channel.getLocalAddress();
      return new WireServer() {
        @Override
        public InetSocketAddress address() {
          return bound;
        }

        @Override
        public void close() {
          shut(channel);
        }
      };
    } catch (IOException e) {
      throw new TransportException(FailureCode.RESOURCE, "cannot listen on " + address, e);
    }
  }

  @Override
  public int poll(long time) {
    now = time;
    RealWire known;
    while ((known = refused.poll()) != null) {
      known.ready(0, time);
    }
    try {
      return selector.selectNow(dispatch);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void dispatch(SelectionKey key) {
    if (!key.isValid()) {
      return;
    }
    if (key.attachment() instanceof RealWire wire) {
      wire.ready(key.readyOps(), now);
      return;
    }
    var handler = (WireServer.Handler) key.attachment();
    try {
      var accepted = ((ServerSocketChannel) key.channel()).accept();
      if (accepted != null) {
        accepted.configureBlocking(false);
        accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        var own = accepted.register(selector, SelectionKey.OP_READ);
        var wire =
            new RealWire(
                accepted, own, null, (InetSocketAddress) accepted.getRemoteAddress(), true);
        own.attach(wire);
        wire.handler(handler.accepted(wire, now));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void park(long deadline) {
    try {
      if (deadline == Long.MAX_VALUE) {
        selector.select();
      } else {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime() + 999_999);
        if (left > 0) {
          selector.select(left);
        }
      }
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
  public void close() {
    if (selector.isOpen()) {
      selector.keys().forEach(key -> shut(key.channel()));
      shut(selector);
    }
  }

  static void shut(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      throw new IllegalStateException("cannot close " + resource, e);
    }
  }
}

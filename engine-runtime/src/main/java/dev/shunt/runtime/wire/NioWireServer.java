package dev.shunt.runtime.wire;

import dev.shunt.api.spi.WireServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening socket. */
final class NioWireServer implements WireServer {
  private static final Logger LOG = LoggerFactory.getLogger(NioWireServer.class);
  private static final int ACCEPTS_PER_TURN = 64;

  private final NioWireLoop loop;
  private final ServerSocketChannel channel;
  private final Handler handler;
  private final InetSocketAddress address;

  NioWireServer(NioWireLoop loop, ServerSocketChannel channel, Handler handler) throws IOException {
    this.loop = loop;
    this.channel = channel;
    this.handler = handler;
    this.address = (InetSocketAddress) channel.getLocalAddress();
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    NioWireLoop.closeQuietly(channel);
  }

  void ready(long now) {
    for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
      java.nio.channels.SocketChannel accepted = null;
      try {
        accepted = channel.accept();
        if (accepted == null) {
          return;
        }
        accepted.configureBlocking(false);
        accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        var remote = (InetSocketAddress) accepted.getRemoteAddress();
        var key = loop.register(accepted);
        var wire = new NioWire(loop, accepted, key, null, remote);
        key.attach(wire);
        wire.handler(handler.accepted(wire, now));
      } catch (IOException e) {
        LOG.warn("a connection to {} could not be accepted: {}", address, e.getMessage());
        NioWireLoop.closeQuietly(accepted);
        return;
      }
    }
  }
}

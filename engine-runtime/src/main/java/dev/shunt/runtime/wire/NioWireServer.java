package dev.shunt.runtime.wire;

import dev.shunt.api.spi.WireServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listening socket. Where the system gives no connection though one waits (the limit on open
 * files is reached, mostly), it rests for a moment: it would be called again at once otherwise, for
 * ever.
 */
final class NioWireServer implements WireServer {
  private static final Logger LOG = LoggerFactory.getLogger(NioWireServer.class);
  private static final int ACCEPTS_PER_TURN = 64;
  private static final long FIRST_REST = 20_000_000L;
  private static final long LONGEST_REST = 1_000_000_000L;

  private final NioWireLoop loop;
  private final ServerSocketChannel channel;
  private final Handler handler;
  private final InetSocketAddress address;
  private SelectionKey key;
  private long failures;
  private long rest = FIRST_REST;
  private long restsUntil;

  NioWireServer(NioWireLoop loop, ServerSocketChannel channel, Handler handler) throws IOException {
    this.loop = loop;
    this.channel = channel;
    this.handler = handler;
    this.address = (InetSocketAddress) channel.getLocalAddress();
  }

  void key(SelectionKey registered) {
    key = registered;
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    NioWireLoop.closeQuietly(channel);
  }

  /** When it accepts again, while it rests. */
  long restsUntil() {
    return restsUntil;
  }

  /** Its rest is over. */
  void resume() {
    if (key.isValid()) {
      key.interestOps(SelectionKey.OP_ACCEPT);
    }
  }

  void ready(long now) {
    for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
      SocketChannel accepted = null;
      try {
        accepted = channel.accept();
        if (accepted == null) {
          return;
        }
        accept(accepted, now);
      } catch (IOException e) {
        NioWireLoop.closeQuietly(accepted);
        rest(e, now);
        return;
      } catch (RuntimeException e) {
        NioWireLoop.closeQuietly(accepted);
        throw e;
      }
    }
  }

  private void accept(SocketChannel accepted, long now) throws IOException {
    accepted.configureBlocking(false);
    accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
    var remote = (InetSocketAddress) accepted.getRemoteAddress();
    var registered = loop.register(accepted);
    var wire = new NioWire(loop, accepted, registered, null, remote);
    registered.attach(wire);
    wire.handler(handler.accepted(wire, now));
    if (failures > 0) {
      LOG.info("connections to {} are accepted again, after {} failures", address, failures);
      failures = 0;
      rest = FIRST_REST;
    }
  }

  private void rest(IOException cause, long now) {
    if (failures++ == 0) {
      LOG.warn(
          "a connection to {} could not be accepted: {}; those that wait are tried again after a"
              + " rest. Too many open files: raise the limit (ulimit -n, LimitNOFILE)",
          address,
          cause.getMessage());
    }
    key.interestOps(0);
    restsUntil = now + rest;
    rest = Math.min(2 * rest, LONGEST_REST);
    loop.resting(this);
  }
}

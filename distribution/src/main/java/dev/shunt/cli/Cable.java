package dev.shunt.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A cable that can be pulled and plugged in: hands on, both ways, what comes to a port of this
 * machine to the same port of another of its addresses. Pulled, it resets what goes through it, and
 * nobody gets a connection.
 */
final class Cable implements AutoCloseable {
  private static final int MOST_STREAMS = 64;
  private static final int CHUNK = 1 << 18;
  private static final int TRIES = 50;

  private final InetSocketAddress near;
  private final InetSocketAddress far;
  private final AtomicLong bytes = new AtomicLong();
  private final Set<SocketChannel> streams = new HashSet<>();
  private ServerSocketChannel listener;

  private Cable(InetSocketAddress near, InetSocketAddress far) {
    this.near = near;
    this.far = far;
  }

  /**
   * Plugs one in at a port that is free on both addresses.
   *
   * @param near where it begins
   * @param far where it leads, as soon as somebody listens there
   * @throws IOException if this machine has no such addresses, or no such port
   */
  static Cable plugged(String near, String far) throws IOException {
    var there = InetAddress.getByName(far);
    IOException last = null;
    for (int i = 0; i < TRIES; i++) {
      try (var free = ServerSocketChannel.open()) {
        free.bind(new InetSocketAddress(there, 0));
        int port = ((InetSocketAddress) free.getLocalAddress()).getPort();
        var cable =
            new Cable(new InetSocketAddress(near, port), new InetSocketAddress(there, port));
        cable.plugIn();
        return cable;
      } catch (IOException taken) {
        last = taken;
      }
    }
    throw last;
  }

  /** The port, at both ends. */
  int port() {
    return near.getPort();
  }

  /** How many bytes went through it. */
  long bytes() {
    return bytes.get();
  }

  /** Lets connections through, from now on. */
  synchronized void plugIn() throws IOException {
    var opened = ServerSocketChannel.open();
    try {
      opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      opened.bind(near);
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    listener = opened;
    start("shunt-cable", () -> accept(opened));
  }

  /** Resets what goes through it, and refuses what comes. */
  synchronized void pull() {
    closeQuietly(listener);
    streams.forEach(Cable::closeQuietly);
    streams.clear();
  }

  @Override
  public void close() {
    pull();
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(String name, Work work) {
    Thread.ofPlatform()
        .daemon()
        .name(name)
        .start(
            () -> {
              try {
                work.run();
              } catch (IOException _) {
                // It was pulled, or one of the two ends is gone; both see that by themselves.
              }
            });
  }

  private void accept(ServerSocketChannel at) throws IOException {
    while (true) {
      var accepted = at.accept();
      var onward = SocketChannel.open();
      if (!keep(at, accepted, onward)) {
        closeQuietly(accepted);
        closeQuietly(onward);
        continue;
      }
      try {
        onward.connect(far);
      } catch (IOException refused) {
        end(accepted, onward);
        continue;
      }
      start("shunt-cable-out", () -> pass(accepted, onward));
      start("shunt-cable-in", () -> pass(onward, accepted));
    }
  }

  /** False if it was pulled meanwhile, or more would be too many. */
  private synchronized boolean keep(
      ServerSocketChannel at, SocketChannel accepted, SocketChannel onward) throws IOException {
    if (!at.isOpen() || streams.size() >= 2 * MOST_STREAMS) {
      return false;
    }
    for (var stream : new SocketChannel[] {accepted, onward}) {
      // Closed, it is reset: the other side is told at once.
      stream.setOption(StandardSocketOptions.SO_LINGER, 0);
      stream.setOption(StandardSocketOptions.TCP_NODELAY, true);
      streams.add(stream);
    }
    return true;
  }

  private void pass(SocketChannel from, SocketChannel to) throws IOException {
    var buffer = ByteBuffer.allocateDirect(CHUNK);
    try {
      while (from.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          bytes.addAndGet(to.write(buffer));
        }
        buffer.clear();
      }
    } finally {
      end(from, to);
    }
  }

  private synchronized void end(SocketChannel one, SocketChannel other) {
    closeQuietly(one);
    closeQuietly(other);
    streams.remove(one);
    streams.remove(other);
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception _) {
      // It was closed before.
    }
  }
}

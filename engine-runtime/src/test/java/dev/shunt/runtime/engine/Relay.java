package dev.shunt.runtime.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Stands before a port, and can be closed and opened again: closed, connections are refused. */
final class Relay implements AutoCloseable {
  private final InetSocketAddress near;
  private final InetSocketAddress far;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicLong bytes = new AtomicLong();
  private ServerSocket server;

  /**
   * Closed at first.
   *
   * @param near where it listens
   * @param far where it leads
   */
  Relay(InetSocketAddress near, InetSocketAddress far) {
    this.near = near;
    this.far = far;
  }

  /** How many bytes went through. */
  long bytes() {
    return bytes.get();
  }

  void open() throws IOException {
    server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(near);
    var listening = server;
    daemon(
        () -> {
          while (true) {
            join(listening.accept());
          }
        });
  }

  private void join(Socket accepted) {
    try {
      var onward = new Socket();
      onward.connect(far, 5_000);
      sockets.addAll(List.of(accepted, onward));
      daemon(() -> pump(accepted.getInputStream(), onward.getOutputStream()));
      daemon(() -> pump(onward.getInputStream(), accepted.getOutputStream()));
    } catch (IOException refused) {
      closeQuietly(accepted);
    }
  }

  private void pump(InputStream from, OutputStream to) throws IOException {
    var buffer = new byte[1 << 16];
    int count;
    while ((count = from.read(buffer)) > 0) {
      to.write(buffer, 0, count);
      bytes.addAndGet(count);
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private void daemon(Step step) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                step.run();
              } catch (IOException over) {
                // The test has closed it, or one of the two ends has.
              }
            });
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException closed) {
      // It was closed before.
    }
  }

  /** Resets what goes through, and refuses what comes. */
  @Override
  public void close() {
    try {
      if (server != null) {
        server.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    sockets.forEach(Relay::closeQuietly);
    sockets.clear();
  }

  /** Two addresses of this machine's, the same port, free on both. */
  static int freePort(String one, String other) throws IOException {
    for (int i = 0; i < 100; i++) {
      try (var first = new ServerSocket(0, 1, InetAddress.getByName(one));
          var second = new ServerSocket(first.getLocalPort(), 1, InetAddress.getByName(other))) {
        return second.getLocalPort();
      } catch (java.net.BindException taken) {
        // Another port, then.
      }
    }
    throw new IOException("no port is free at both " + one + " and " + other);
  }
}

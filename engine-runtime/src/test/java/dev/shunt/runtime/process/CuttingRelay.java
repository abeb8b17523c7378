package dev.shunt.runtime.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Stands before a port, and resets connections that go through it. */
final class CuttingRelay implements AutoCloseable {
  private final InetSocketAddress far;
  private final ServerSocket server = new ServerSocket();
  private final List<List<Socket>> open = new ArrayList<>();

  CuttingRelay(InetSocketAddress near, InetSocketAddress far) throws IOException {
    this.far = far;
    server.setReuseAddress(true);
    server.bind(near);
    daemon(this::accept);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var accepted = server.accept();
        var onward = new Socket();
        var both = List.of(accepted, onward);
        synchronized (open) {
          open.add(both);
        }
        onward.connect(far, 5_000);
        accepted.setTcpNoDelay(true);
        onward.setTcpNoDelay(true);
        var streams = List.of(accepted.getInputStream(), onward.getInputStream());
        var ends = List.of(onward.getOutputStream(), accepted.getOutputStream());
        daemon(() -> pump(streams.get(0), ends.get(0), both));
        daemon(() -> pump(streams.get(1), ends.get(1), both));
      } catch (IOException closed) {
        // It was cut meanwhile, or the test is over.
      }
    }
  }

  private void pump(InputStream from, OutputStream to, List<Socket> both) {
    var buffer = new byte[1 << 16];
    try {
      int count;
      while ((count = from.read(buffer)) > 0) {
        to.write(buffer, 0, count);
      }
    } catch (IOException reset) {
      // The other end hears of it below.
    }
    synchronized (open) {
      open.remove(both);
    }
    both.forEach(CuttingRelay::reset);
  }

  /** Resets one connection, whichever; answers whether there was one. */
  boolean cut(SplittableRandom random) {
    List<Socket> one;
    synchronized (open) {
      if (open.isEmpty()) {
        return false;
      }
      one = open.remove(random.nextInt(open.size()));
    }
    one.forEach(CuttingRelay::reset);
    return true;
  }

  private static void daemon(Runnable run) {
    Thread.ofPlatform().daemon().start(run);
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException gone) {
      // It was gone before.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    synchronized (open) {
      open.forEach(both -> both.forEach(CuttingRelay::reset));
      open.clear();
    }
  }
}

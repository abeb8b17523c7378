package dev.shunt.runtime.wire;

import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import org.slf4j.LoggerFactory;

/** Runs out of open files while connections wait to be accepted, and tells what comes of it. */
final class FewFiles {
  private static final int CLIENTS = 5;
  private static final long MILLI = 1_000_000L;

  private final WireLoop loop = new NioWires().open("few");
  private final ArrayList<FileInputStream> files = new ArrayList<>();
  private int accepted;

  private FewFiles() {}

  public static void main(String[] args) throws IOException {
    new FewFiles().play();
  }

  private void play() throws IOException {
    var server =
        loop.listen(
            new InetSocketAddress("127.0.0.1", 0),
            (wire, now) -> {
              accepted++;
              return new Nobody();
            });
    turns(10 * MILLI);
    var clients = new ArrayList<SocketChannel>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(SocketChannel.open());
    }
    // What is needed then is loaded before nothing can be.
    loop.connect(new InetSocketAddress("127.0.0.1", 0), server.address(), new Nobody());
    turns(100 * MILLI);
    refused(new InetSocketAddress("192.0.2.1", 0), server.address());
    LoggerFactory.getLogger(FewFiles.class).warn("{} {}", "a", "rehearsal");
    System.out.println("rehearsed " + accepted);
    accepted = 0;
    takeAll();
    for (var client : clients) {
      client.connect(server.address());
    }
    System.out.println("turns " + turns(500 * MILLI));
    System.out.println("accepted " + accepted);
    System.out.println("refused " + refused(new InetSocketAddress(0), server.address()));
    for (var file : files) {
      file.close();
    }
    turns(2500 * MILLI);
    System.out.println("accepted " + accepted);
  }

  private void takeAll() {
    try {
      while (true) {
        files.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException full) {
      System.out.println("files " + files.size());
    }
  }

  /** Lets the loop work as a lane does; answers how many turns found something to do. */
  private int turns(long nanos) {
    long end = System.nanoTime() + nanos;
    int busy = 0;
    while (System.nanoTime() < end) {
      busy += loop.poll(System.nanoTime()) > 0 ? 1 : 0;
      loop.park(end);
    }
    return busy;
  }

  private String refused(InetSocketAddress from, InetSocketAddress to) {
    try {
      loop.connect(from, to, new Nobody()).abort();
      return "not";
    } catch (TransportException e) {
      return e.getMessage();
    }
  }

  private static final class Nobody implements WireHandler {
    @Override
    public void connected(Wire wire, long now) {}

    @Override
    public void readable(Wire wire, long now) {
      wire.close();
    }

    @Override
    public void writable(Wire wire, long now) {}

    @Override
    public void failed(Wire wire, WireException cause, long now) {}
  }
}

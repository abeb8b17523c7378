package dev.shunt.transport.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;

/** The way from one local address to one remote one, on which things go wrong. */
final class RelayPath {
  private final InetSocketAddress to;
  private final ServerSocketChannel listening;
  private final ArrayList<RelayPair> pairs = new ArrayList<>();
  private boolean held;
  private boolean silent;

  RelayPath(InetSocketAddress to) {
    this.to = to;
    try {
      listening = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
      listening.configureBlocking(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where to connect to instead. */
  InetSocketAddress entrance() {
    try {
      return (InetSocketAddress) listening.getLocalAddress();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int work() {
    if (silent) {
      return 0;
    }
    int done = 0;
    try {
      var client = listening.accept();
      if (client != null) {
        pairs.add(new RelayPair(client, to));
        done++;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (var pair : pairs) {
      done += pair.work(held);
    }
    pairs.removeIf(RelayPair::over);
    return done;
  }

  void hold(boolean on) {
    held = on;
  }

  void silence(boolean on) {
    silent = on;
  }

  void cut() {
    pairs.forEach(RelayPair::cut);
    pairs.clear();
  }
}

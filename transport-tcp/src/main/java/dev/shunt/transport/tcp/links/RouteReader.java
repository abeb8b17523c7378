package dev.shunt.transport.tcp.links;

import dev.shunt.transport.tcp.core.Interface;
import dev.shunt.transport.tcp.core.LinkTable;
import java.util.List;
import java.util.Optional;

/**
 * Keeps a table of interfaces by the kernel's messages. It is read anew at the start, and whenever
 * messages were lost; what changes meanwhile comes by the same socket, in its order.
 */
final class RouteReader implements LinkReader {
  private static final int ROOM = 64 << 10;
  private static final int MOST_ROOM = 4 << 20;
  private static final int TRIES = 10;
  private static final long PATIENCE = 5_000_000_000L;

  private final RouteSocket socket;
  private byte[] buffer = new byte[ROOM];
  private LinkTable table = new LinkTable();
  private List<Interface> last = List.of();
  private boolean told;
  private boolean stale = true;
  private int sequence;

  RouteReader(RouteSocket socket) {
    this.socket = socket;
  }

  @Override
  public Optional<List<Interface>> await(long nanos) {
    long end = System.nanoTime() + nanos;
    while (true) {
      if (stale) {
        table = whole();
        stale = false;
      }
      var found = table.interfaces();
      if (!told || !found.equals(last)) {
        told = true;
        last = found;
        return Optional.of(found);
      }
      long left = end - System.nanoTime();
      if (left <= 0 || !socket.await(left)) {
        return Optional.empty();
      }
      stale = !drain();
    }
  }

  /** Takes all that is there; answers whether nothing was lost. */
  private boolean drain() {
    while (true) {
      int length = receive();
      if (length == RouteSocket.NOTHING) {
        return true;
      }
      if (length == RouteSocket.DROPPED
          || (RouteMessages.read(buffer, length, 0, table) & RouteMessages.AGAIN) != 0) {
        return false;
      }
    }
  }

  /** A datagram whose end was lost counts as dropped; there will be room for the next. */
  private int receive() {
    int length = socket.receive(buffer);
    if (length > buffer.length) {
      buffer = new byte[Math.min(MOST_ROOM, Math.max(length, 2 * buffer.length))];
      return RouteSocket.DROPPED;
    }
    return length;
  }

  /** Asks for everything. */
  private LinkTable whole() {
    for (int i = 0; i < TRIES; i++) {
      var fresh = new LinkTable();
      if (dump(RouteMessages.GET_LINK, fresh) && dump(RouteMessages.GET_ADDRESS, fresh)) {
        return fresh;
      }
    }
    throw new LinkException(
        "the kernel's list of interfaces changed " + TRIES + " times meanwhile");
  }

  private boolean dump(int type, LinkTable into) {
    sequence++;
    socket.send(RouteMessages.dump(type, sequence));
    long end = System.nanoTime() + PATIENCE;
    boolean whole = true;
    while (true) {
      int length = receive();
      if (length == RouteSocket.NOTHING) {
        long left = end - System.nanoTime();
        if (left <= 0 || !socket.await(left)) {
          throw new LinkException("the kernel did not finish its list of interfaces");
        }
        continue;
      }
      // What was dropped were news, and not the dump, which goes on.
      int outcome =
          length == RouteSocket.DROPPED
              ? RouteMessages.AGAIN
              : RouteMessages.read(buffer, length, sequence, into);
      whole &= (outcome & RouteMessages.AGAIN) == 0;
      if ((outcome & RouteMessages.END) != 0) {
        return whole;
      }
    }
  }

  @Override
  public void wake() {
    socket.wake();
  }

  @Override
  public void close() {
    socket.close();
  }
}

package dev.shunt.api.sim;

import dev.shunt.api.spi.WireServer;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;

/** A listening socket. Its kernel takes connections even while its process is frozen. */
final class SimServer implements WireServer {
  private static final int BACKLOG = 128;

  private final SimWireLoop loop;
  private final List<SimRail> rails;
  private final InetSocketAddress address;
  private final Handler handler;
  private final ArrayDeque<SimWire> waiting = new ArrayDeque<>();
  private boolean closed;

  SimServer(SimWireLoop loop, List<SimRail> rails, InetSocketAddress address, Handler handler) {
    this.loop = loop;
    this.rails = rails;
    this.address = address;
    this.handler = handler;
    for (var rail : rails) {
      rail.servers.put(address.getPort(), this);
    }
  }

  SimWireLoop loop() {
    return loop;
  }

  boolean full() {
    return waiting.size() >= BACKLOG;
  }

  void arrived(SimWire wire) {
    waiting.add(wire);
    loop.signal();
  }

  int dispatch(long now) {
    int calls = 0;
    while (!closed && !waiting.isEmpty()) {
      var wire = waiting.poll();
      calls++;
      loop.own(wire);
      wire.handler(handler.accepted(wire, now));
    }
    return calls;
  }

  boolean ready() {
    return !waiting.isEmpty();
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    end(false);
  }

  void end(boolean silently) {
    if (closed) {
      return;
    }
    closed = true;
    for (var rail : rails) {
      rail.servers.remove(address.getPort());
    }
    loop.forget(this);
    for (var wire : waiting) {
      if (silently) {
        wire.vanish();
      } else {
        wire.abort();
      }
    }
    waiting.clear();
  }
}

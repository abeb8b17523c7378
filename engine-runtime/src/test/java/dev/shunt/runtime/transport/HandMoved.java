package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.WireServer;
import dev.shunt.api.spi.Wires;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.agent.Platform;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.Callable;

/** A platform whose time a test moves by hand, and which has nothing else. */
final class HandMoved implements Platform {
  long now;

  /** A rail that has a name. */
  record Named(String name, int index) implements Rail {
    @Override
    public Map<String, String> attributes() {
      return Map.of();
    }
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public long wallMillis() {
    return now / 1_000_000;
  }

  @Override
  public long random() {
    return 4;
  }

  @Override
  public Wires wires() {
    return name -> new NoWires();
  }

  /** A loop of a thread that has no streams. */
  private static final class NoWires implements WireLoop {
    @Override
    public Wire connect(InetSocketAddress local, InetSocketAddress remote, WireHandler handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public WireServer listen(InetSocketAddress address, WireServer.Handler handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int poll(long time) {
      return 0;
    }

    @Override
    public void park(long deadline) {
      throw new IllegalStateException("no thread, no parking");
    }

    @Override
    public void wake() {}

    @Override
    public void close() {}
  }

  @Override
  public Running start(Agent agent) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> boolean sacrifice(String what, Callable<T> call, Ended<T> done) {
    throw new UnsupportedOperationException();
  }
}

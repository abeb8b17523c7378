package dev.shunt.transport.tcp;

import dev.shunt.api.contract.RealStage;
import dev.shunt.api.contract.Stage;
import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.WireServer;
import dev.shunt.api.spi.Wires;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Real sockets, and between those of host {@code a} and whatever it connects to a relay that can
 * keep bytes back, fall silent or break. Its turns are on the test's thread, like everybody's.
 */
final class RelayStage implements Stage {
  private static final String NETWORK = "network";

  private final RealStage real;
  private final Map<Way, RelayPath> paths = new LinkedHashMap<>();

  private final Set<String> silent = new HashSet<>();

  private record Way(InetAddress from, InetSocketAddress to) {}

  RelayStage(long seed) {
    real = new RealStage(seed);
    real.start(NETWORK);
    real.actor(NETWORK, NETWORK, _ -> work());
  }

  private int work() {
    int done = 0;
    for (var path : paths.values()) {
      done += path.work();
    }
    return done;
  }

  /** All paths between two addresses, whatever their ports. */
  List<RelayPath> between(String from, String to) {
    return paths.entrySet().stream()
        .filter(it -> it.getKey().from().getHostAddress().equals(from))
        .filter(it -> it.getKey().to().getAddress().getHostAddress().equals(to))
        .map(Map.Entry::getValue)
        .toList();
  }

  /**
   * Loses, or loses no more, what goes between two addresses, also on paths that are made later.
   */
  void silence(String from, String to, boolean on) {
    if (on) {
      silent.add(from + " " + to);
    } else {
      silent.remove(from + " " + to);
    }
    between(from, to).forEach(it -> it.silence(on));
  }

  /** The path to a listener, which it makes where nothing has used it yet. */
  RelayPath path(InetAddress from, InetSocketAddress to) {
    var path = paths.computeIfAbsent(new Way(from, to), way -> new RelayPath(way.to()));
    path.silence(silent.contains(from.getHostAddress() + " " + to.getAddress().getHostAddress()));
    return path;
  }

  @Override
  public Wires wires(String host) {
    var wires = real.wires(host);
    return host.equals("a") ? name -> new Relayed(wires.open(name)) : wires;
  }

  /** A loop whose connections take the relay. */
  private final class Relayed implements WireLoop {
    private final WireLoop loop;

    Relayed(WireLoop loop) {
      this.loop = loop;
    }

    @Override
    public Wire connect(InetSocketAddress local, InetSocketAddress remote, WireHandler handler) {
      return loop.connect(local, path(local.getAddress(), remote).entrance(), handler);
    }

    @Override
    public WireServer listen(InetSocketAddress address, WireServer.Handler handler) {
      return loop.listen(address, handler);
    }

    @Override
    public int poll(long now) {
      return loop.poll(now);
    }

    @Override
    public void park(long deadline) {
      loop.park(deadline);
    }

    @Override
    public void wake() {
      loop.wake();
    }

    @Override
    public void close() {
      loop.close();
    }
  }

  @Override
  public long now() {
    return real.now();
  }

  @Override
  public boolean virtual() {
    return false;
  }

  @Override
  public long random() {
    return real.random();
  }

  @Override
  public void start(String host) {
    real.start(host);
  }

  @Override
  public Runnable actor(String host, String name, Actor actor) {
    return real.actor(host, name, actor);
  }

  @Override
  public void send(String host, Runnable task) {
    real.send(host, task);
  }

  @Override
  public void blocking(String host, Runnable task) {
    real.blocking(host, task);
  }

  @Override
  public void freeze(String host) {
    real.freeze(host);
  }

  @Override
  public void thaw(String host) {
    real.thaw(host);
  }

  @Override
  public void kill(String host, Death death) {
    real.kill(host, death);
  }

  @Override
  public boolean until(BooleanSupplier condition, long nanos) {
    return real.until(condition, nanos);
  }
}

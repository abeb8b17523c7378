package dev.shunt.api.sim;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.WireServer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A virtual loop of streams. The actor whose turn polls it first is woken by its events. */
public final class SimWireLoop implements WireLoop {
  private final SimNetwork network;
  private final SimHost host;
  private final SimProcess process;
  private final String name;
  private final Dice dice;
  private final List<SimWire> wires = new ArrayList<>();
  private final List<SimServer> servers = new ArrayList<>();
  private final List<SimWire> round = new ArrayList<>();
  private Turn owner;
  private boolean closed;

  SimWireLoop(SimNetwork network, SimHost host, SimProcess process, String name) {
    this.network = network;
    this.host = host;
    this.process = process;
    this.name = name;
    dice = process.dice().split("loop " + name);
  }

  /** How many wires are open here. */
  public int wires() {
    return wires.size();
  }

  /** Whose. */
  public SimProcess process() {
    return process;
  }

  @Override
  public Wire connect(InetSocketAddress local, InetSocketAddress remote, WireHandler handler) {
    usable();
    var rail = local.getAddress().isAnyLocalAddress() ? host.way() : host.rail(local.getAddress());
    if (rail == null) {
      throw new TransportException(
          FailureCode.DEVICE, "cannot connect from " + local + ": it is no address of this host");
    }
    int port = local.getPort() == 0 ? rail.freePort() : local.getPort();
    var bound = new InetSocketAddress(rail.address(), port);
    var wire = new SimWire(network, this, rail, bound, remote, SimWire.State.CONNECTING);
    wire.handler(handler);
    wires.add(wire);
    new Connecting(network, wire).begin();
    return wire;
  }

  @Override
  public WireServer listen(InetSocketAddress address, WireServer.Handler handler) {
    usable();
    List<SimRail> rails;
    if (address.getAddress().isAnyLocalAddress()) {
      rails = List.copyOf(host.rails());
    } else {
      var rail = host.rail(address.getAddress());
      if (rail == null) {
        throw new TransportException(
            FailureCode.DEVICE, "cannot listen on " + address + ": it is no address of this host");
      }
      rails = List.of(rail);
    }
    int port = address.getPort() == 0 ? rails.getFirst().freePort() : address.getPort();
    for (var rail : rails) {
      if (rail.servers.containsKey(port)) {
        throw new TransportException(
            FailureCode.RESOURCE, "cannot listen on " + address + ": the port is taken");
      }
    }
    var server =
        new SimServer(this, rails, new InetSocketAddress(address.getAddress(), port), handler);
    servers.add(server);
    return server;
  }

  @Override
  public int poll(long now) {
    if (owner == null) {
      owner = network.world().current();
    }
    int calls = 0;
    for (int i = 0; i < servers.size(); i++) {
      calls += servers.get(i).dispatch(now);
    }
    for (int i = 0; i < wires.size(); i++) {
      if (wires.get(i).ready()) {
        round.add(wires.get(i));
      }
    }
    if (!round.isEmpty()) {
      int start = (int) dice.below(round.size());
      for (int i = 0; i < round.size(); i++) {
        var wire = round.get((start + i) % round.size());
        if (wire.ready()) {
          calls += wire.dispatch(now);
        }
      }
      round.clear();
    }
    if (calls > 0) {
      signal();
    }
    return calls;
  }

  @Override
  public void park(long deadline) {
    throw new IllegalStateException(
        "loop " + name + ": nothing is parked in a virtual world; run it as an actor");
  }

  @Override
  public void wake() {
    signal();
  }

  @Override
  public void close() {
    end(SimProcess.Death.KILLED);
  }

  void died(SimProcess.Death death) {
    end(death);
  }

  private void end(SimProcess.Death death) {
    if (closed) {
      return;
    }
    closed = true;
    boolean silently = death == SimProcess.Death.VANISHED;
    for (var server : List.copyOf(servers)) {
      server.end(silently);
    }
    for (var wire : List.copyOf(wires)) {
      if (silently) {
        wire.vanish();
      } else {
        wire.close();
      }
    }
  }

  void signal() {
    if (owner != null) {
      owner.wake();
    }
  }

  void own(SimWire wire) {
    wires.add(wire);
  }

  void forget(SimWire wire) {
    wires.remove(wire);
  }

  void forget(SimServer server) {
    servers.remove(server);
  }

  private void usable() {
    if (closed) {
      throw new IllegalStateException("loop " + name + " of " + process.name() + " is closed");
    }
  }
}

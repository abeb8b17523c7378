package dev.shunt.api.sim;

import java.net.InetSocketAddress;

/** An attempt to connect, as the client's kernel makes it. */
final class Connecting extends Event {
  private static final long HELD = 20_000_000L;

  private final SimNetwork network;
  private final SimWire wire;
  private final SimRail target;
  private long began;
  private long pause = 1_000_000_000L;
  private boolean met;

  Connecting(SimNetwork network, SimWire wire) {
    this.network = network;
    this.wire = wire;
    var address = wire.remote().getAddress();
    target = address.isLoopbackAddress() ? wire.rail().host().rail(address) : network.rail(address);
  }

  /** It was answered or given up; but what is under way is under way. */
  void end() {
    if (met) {
      network.world().cancel(this);
    }
  }

  void begin() {
    wire.attempt(this);
    began = network.world().now();
    if (target == null) {
      again(began);
    } else {
      network.world().schedule(this, path().arrival(began, 66));
    }
  }

  private SimPath path() {
    return network.path(wire.rail(), target);
  }

  @Override
  protected void fire(long now) {
    network.world().trace().add(now, "connect", wire.number(), met ? 1 : 0);
    if (!wire.connecting()) {
      if (!met && wire.deaf() && target != null && network.dice().permille(500)) {
        straggler();
      }
      return;
    }
    if (now - began >= network.connectTimeout()) {
      wire.broke("connect timed out");
      return;
    }
    if (met || target == null) {
      again(now);
      return;
    }
    var path = path();
    if (path.held()) {
      network.world().schedule(this, now + HELD);
    } else if (path.loses()) {
      again(now);
    } else {
      arrived(path, now);
    }
  }

  private void arrived(SimPath path, long now) {
    var server = target.servers.get(wire.remote().getPort());
    if (server == null) {
      var back = network.path(target, wire.rail());
      network
          .world()
          .at(
              back.arrival(now, 66),
              () -> {
                if (!back.held() && !back.loses()) {
                  wire.broke("connection refused");
                }
              });
      again(now);
      return;
    }
    if (server.full()) {
      again(now);
      return;
    }
    met = true;
    meet(server, wire).accept();
    if (path.duplicates()) {
      straggler();
    }
    network.world().schedule(this, began + network.connectTimeout());
  }

  /** A connection that the server believes in, and the client knows nothing of. */
  private void straggler() {
    var server = target.servers.get(wire.remote().getPort());
    if (server != null && !server.full()) {
      var nobody =
          new SimWire(
              network,
              null,
              wire.rail(),
              new InetSocketAddress(wire.local().getAddress(), wire.rail().freePort()),
              wire.remote(),
              SimWire.State.ABANDONED);
      meet(server, nobody);
      nobody.sendReset();
    }
  }

  /** Makes the server's end, and gives the stream that leads back. */
  private Stream meet(SimServer server, SimWire client) {
    var end =
        new SimWire(
            network,
            server.loop(),
            target,
            new InetSocketAddress(target.address(), client.remote().getPort()),
            client.local(),
            SimWire.State.OPEN);
    var there = new Stream(network, path(), client, end);
    var back = new Stream(network, network.path(target, client.rail()), end, client);
    client.attach(back, there);
    end.attach(there, back);
    network.opened(end);
    server.arrived(end);
    return back;
  }

  private void again(long now) {
    long next = Math.min(now + pause, began + network.connectTimeout());
    pause *= 2;
    network.world().schedule(this, next);
  }
}

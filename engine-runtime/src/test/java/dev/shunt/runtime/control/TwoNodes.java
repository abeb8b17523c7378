package dev.shunt.runtime.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.shunt.api.sim.SimHost;
import dev.shunt.api.sim.SimNetwork;
import dev.shunt.api.sim.World;
import dev.shunt.runtime.agent.Platform.Running;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Two nodes with two rails each, and a control plane on each. */
final class TwoNodes {
  static final long SECOND = 1_000_000_000L;
  static final int ECHO = 200;
  static final int PORT = 7000;
  static final List<String> B = List.of("10.0.0.2:7000", "10.0.1.2:7000");

  final World world;
  final SimNetwork network;
  final SimHost hostA;
  final SimHost hostB;
  final VirtualPlatform platformA;
  final VirtualPlatform platformB;
  final ControlService a;
  final ControlService b;
  final Running runningA;
  final Running runningB;
  final List<String> served = new ArrayList<>();

  TwoNodes(long seed) {
    this(seed, options());
  }

  TwoNodes(long seed, ControlOptions options) {
    world = new World(seed);
    network = new SimNetwork(world);
    hostA = network.host("a", "10.0.0.1", "10.0.1.1");
    hostB = network.host("b", "10.0.0.2", "10.0.1.2");
    platformA = new VirtualPlatform(world, hostA, "a#1");
    platformB = new VirtualPlatform(world, hostB, "b#1");
    a = new ControlService("control", options, platformA);
    b = new ControlService("control", options, platformB);
    a.listen(at("10.0.0.1", "10.0.1.1"));
    b.listen(at("10.0.0.2", "10.0.1.2"));
    b.serve(
        ECHO,
        (request, peer, reply) -> {
          served.add(new String(request, UTF_8));
          reply.send(request);
        });
    runningA = platformA.start(a);
    runningB = platformB.start(b);
  }

  static ControlOptions options() {
    return options(64);
  }

  static ControlOptions options(int maxConnections) {
    return new ControlOptions(
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofSeconds(5),
        Duration.ofSeconds(60),
        1 << 20,
        maxConnections,
        8,
        64 << 10,
        4 << 20,
        2000,
        4);
  }

  static List<InetSocketAddress> at(String... addresses) {
    var all = new ArrayList<InetSocketAddress>();
    for (var address : addresses) {
      all.add(new InetSocketAddress(address, PORT));
    }
    return all;
  }

  Ending call(List<String> where, String text, long nanos) {
    return call(where, ECHO, text.getBytes(UTF_8), nanos);
  }

  Ending call(List<String> where, int function, byte[] request, long nanos) {
    var ending = new Ending(platformA);
    a.call(where, function, request, world.now() + nanos, ending);
    return ending;
  }

  boolean until(Ending ending, long nanos) {
    return world.runUntil(ending::over, nanos);
  }
}

package dev.shunt.transport.tcp;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.shunt.api.sim.SimHost;
import dev.shunt.api.sim.SimNetwork;
import dev.shunt.api.sim.World;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RemoteRail;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/** Two nodes with two rails each. */
final class Town {
  final World world;
  final SimNetwork network;
  final SimHost hostA;
  final SimHost hostB;
  Node a;
  Node b;

  Town(long seed, int lanes, String settings) {
    world = new World(seed);
    network = new SimNetwork(world);
    hostA = network.host("a", "10.0.0.1", "10.0.1.1");
    hostB = network.host("b", "10.0.0.2", "10.0.1.2");
    a = new Node(world, hostA, 0xa1, lanes, config(settings, "10.0.0.1", "10.0.1.1"));
    b = new Node(world, hostB, 0xb1, lanes, config(settings, "10.0.0.2", "10.0.1.2"));
  }

  static Config config(String settings, String... rails) {
    var text = "rails = [\"" + String.join("\", \"", rails) + "\"], buffer-size = 4KiB, ";
    return ConfigFactory.parseString(text + "copy-limit = 1KiB\n" + settings)
        .withFallback(
            ConfigFactory.defaultReference(Town.class.getClassLoader())
                .getConfig("shunt.transports.tcp"));
  }

  static InetSocketAddress addressOf(RemoteRail rail) {
    var address = RemoteAddress.of(rail).orElseThrow();
    return new InetSocketAddress(
        RemoteAddress.literal(address.host()).orElseThrow(), address.port());
  }

  Channel up(Node from, Node to, int lane, int rail) {
    return from.lanes.get(lane).await(from.connect(to, lane, rail));
  }

  /** Posts a write of one byte repeated. */
  Write post(Channel channel, Node to, int content, long length) {
    var write = new Write(to, content, length);
    channel.post(write, world.now());
    channel.flush(world.now());
    return write;
  }

  boolean completes(Write write) {
    return world.runUntil(write::ended, 10 * Node.SECOND) && write.fault == null;
  }

  boolean until(java.util.function.BooleanSupplier condition) {
    return world.runUntil(condition, 60 * Node.SECOND);
  }

  /** Whether so much of a node's memory holds that byte. */
  static boolean holds(Node node, int content, long length) {
    for (long i = 0; i < length; i++) {
      if (node.memory.segment.get(ValueLayout.JAVA_BYTE, i) != content) {
        return false;
      }
    }
    return true;
  }

  static boolean isDown(Node node, int lane, LinkId link) {
    return node.lanes.get(lane).down.containsKey(link);
  }
}

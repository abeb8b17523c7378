package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Request;
import dev.shunt.api.sim.SimNetwork;
import dev.shunt.api.sim.World;
import dev.shunt.metadata.p2p.P2pMetadataProvider;
import dev.shunt.policy.failover.ShuntFailoverProvider;
import dev.shunt.runtime.config.ConfigLayers;
import dev.shunt.runtime.config.ConfigLoader;
import dev.shunt.runtime.config.Loaded;
import dev.shunt.runtime.discovery.Discovery;
import dev.shunt.runtime.discovery.Given;
import dev.shunt.runtime.engine.RuntimeFactory;
import dev.shunt.runtime.engine.ShuntEngine;
import dev.shunt.transport.tcp.TcpTransportProvider;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FirstStoryTest {
  static final Loaded BASE =
      ConfigLoader.load(
          ConfigLayers.of(ConfigFactory.empty()),
          Discovery.only(
              new Given(
                  List.of(new TcpTransportProvider()),
                  List.of(new P2pMetadataProvider()),
                  Optional.of(new ShuntFailoverProvider()))));

  @Test
  void bytesArrive() {
    for (int round = 0; round < 20; round++) {
      var start = System.nanoTime();
      long hash = run(round, round % 2 == 0 ? 0 : 0);
      System.out.println(
          "seed " + round + " " + hash + " took " + (System.nanoTime() - start) / 1000 + " us");
    }
  }

  long run(long seed, int x) {
    var world = new World(seed);
    var network = new SimNetwork(world);
    var a = engine(network, "a", "10.0.0.1", "10.0.1.1");
    var b = engine(network, "b", "10.0.0.2", "10.0.1.2");
    try (var arena = Arena.ofShared()) {
      var local = arena.allocate(1 << 20);
      var remote = arena.allocate(1 << 20);
      local.fill((byte) 7);
      var one = a.registerAsync(local, Access.LOCAL);
      var two = b.registerAsync(remote, Access.REMOTE_READ_WRITE);
      assertTrue(world.runUntil(() -> one.isDone() && two.isDone(), 1_000_000_000L));
      var opening = a.openSegmentAsync(b.name(), Duration.ofSeconds(5));
      assertTrue(world.runUntil(opening::isDone, 6_000_000_000L));
      var segment = ((Engine.SegmentResult.Opened) opening.poll().orElseThrow()).segment();
      var requests = new java.util.ArrayList<Request>();
      for (int i = 0; i < 200; i++) {
        requests.add(
            Request.write(local.asSlice(i * 1000, 1000), segment, remote.address() + i * 1000));
      }
      var transfer = a.submit(Batch.of(requests).orBusy());
      assertTrue(world.runUntil(() -> transfer.settled().isDone(), 60_000_000_000L));
      transfer.done().poll().orElseThrow().orThrow();
      assertEquals(-1, local.asSlice(0, 200_000).mismatch(remote.asSlice(0, 200_000)));
      System.out.println("events " + world.events() + " virtual us " + world.now() / 1000);
    }
    return world.trace().hash();
  }

  private ShuntEngine engine(SimNetwork network, String name, String... addresses) {
    var host = network.host(name, addresses);
    var process = host.start(name);
    var config =
        BASE.config()
            .with(
                Map.of(
                    "control.bind", List.of(addresses),
                    "transports.tcp.rails", List.of(addresses)));
    return RuntimeFactory.start(
        new Loaded(config, BASE.discovered(), List.of()), new SimPlatform(host, process));
  }
}

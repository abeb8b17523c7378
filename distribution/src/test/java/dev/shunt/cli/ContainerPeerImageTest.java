package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.model.Network.Ipam;
import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.Transfer;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * A peer in a container, which holds the image and the few libraries that it needs, and nothing
 * else: what this process moves to it goes over TCP, through the kernel's bridge.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ContainerPeerImageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String HERE = "10.213.89.1";
  private static final String THERE = "10.213.89.2";
  private static final int MIB = 1 << 20;
  private static final int MEMORY = 16 * MIB;

  private static Network network;
  private static GenericContainer<?> container;

  private final Deadline deadline = Deadline.in(Duration.ofMinutes(4));

  @BeforeAll
  static void start() {
    assumeTrue(available(), "there is no container engine that could be reached");
    network =
        Network.builder()
            .createNetworkCmdModifier(
                cmd ->
                    cmd.withIpam(
                        new Ipam()
                            .withConfig(
                                new Ipam.Config().withSubnet("10.213.89.0/24").withGateway(HERE))))
            .build();
    container =
        new GenericContainer<>(ContainerFiles.image())
            .withNetwork(network)
            .withCreateContainerCmdModifier(cmd -> cmd.withIpv4Address(THERE))
            .withCommand(
                "serve",
                "--answer",
                "--memory",
                MEMORY + "B",
                "--set",
                "control.bind=[\"" + THERE + "\"]",
                "--set",
                "control.port=15000",
                "--set",
                "transports.tcp.rails=[\"" + THERE + "\"]")
            .waitingFor(Wait.forLogMessage(".*ready " + THERE + ".*", 1))
            .withStartupTimeout(PATIENCE);
    container.start();
  }

  private static boolean available() {
    try {
      return DockerClientFactory.instance().isDockerAvailable();
    } catch (IllegalStateException none) {
      return false;
    }
  }

  @AfterAll
  static void stop() {
    if (container != null) {
      container.stop();
      container
          .getDockerClient()
          .removeImageCmd(container.getDockerImageName())
          .withForce(true)
          .exec();
    }
    if (network != null) {
      network.close();
    }
  }

  @Test
  void whatIsMovedToAContainerIsVerifiedThereAlsoAfterItWasPaused() throws Exception {
    try (var engine = open()) {
      var peer = engine.openSegment(THERE + ":15000", PATIENCE);
      var local = engine.arena().allocate(MEMORY, 4096);
      engine.register(local, Access.LOCAL);
      var questions = new Questions(engine, peer);
      Payload.fill(local, 1);
      write(engine, peer, local);
      assertEquals(Payload.checksum(local), questions.checksum(0, MEMORY, deadline));

      var docker = container.getDockerClient();
      docker.pauseContainerCmd(container.getContainerId()).exec();
      Payload.fill(local, 2);
      var transfer = engine.submit(Batch.of(whole(peer, local)).within(Duration.ofMillis(300)));
      assertFalse(transfer.await(PATIENCE).completed(), "completed by a peer that stands still");
      docker.unpauseContainerCmd(container.getContainerId()).exec();
      transfer.settled().await(PATIENCE);

      Payload.fill(local, 3);
      write(engine, peer, local);
      assertEquals(Payload.checksum(local), questions.checksum(0, MEMORY, deadline));
      var back = engine.arena().allocate(MEMORY, 4096);
      engine.register(back, Access.LOCAL);
      var read = Request.read(back, peer, peer.buffers().getFirst().address());
      assertTrue(engine.submit(Batch.of(read)).await(PATIENCE).orThrow().completed());
      assertEquals(-1, local.mismatch(back));
    }
  }

  private static Engine open() {
    return Settings.of(
            Optional.empty(),
            List.of("control.bind=[\"" + HERE + "\"]", "transports.tcp.rails=[\"" + HERE + "\"]"),
            List.of("transports.rdma.enable=false"))
        .open();
  }

  private static Request whole(Segment peer, MemorySegment local) {
    return Request.write(local, peer, peer.buffers().getFirst().address());
  }

  private static void write(Engine engine, Segment peer, MemorySegment local) throws Exception {
    Transfer.Result result = engine.submit(Batch.of(whole(peer, local))).await(PATIENCE);
    assertTrue(result.orThrow().completed());
  }
}

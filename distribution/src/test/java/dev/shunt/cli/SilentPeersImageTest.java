package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Delivery;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Peers that stand still, are gone, or are cut off, as processes. With {@code
 * -Dshunt.silent=default} the timeouts are those that a node has by default, and it takes minutes.
 */
class SilentPeersImageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final boolean DEFAULT = "default".equals(System.getProperty("shunt.silent"));

  /** What one call, or transfer, is given. */
  private static final Duration TIMEOUT = DEFAULT ? Duration.ofSeconds(30) : Duration.ofSeconds(1);

  private static final int MIB = 1 << 20;
  private static final List<String> SHORT =
      List.of(
          "rpc.connect-timeout=1s",
          "rpc.request-timeout=1s",
          "rpc.probe-timeout=300ms",
          "transports.rdma.enable=false");
  private static final List<String> PLAIN = List.of("transports.rdma.enable=false");

  private final Deadline deadline = Deadline.in(Duration.ofMinutes(10));
  private final List<PeerProcess> peers = new ArrayList<>();
  private final List<AutoCloseable> rest = new ArrayList<>();

  @AfterEach
  void endAll() throws Exception {
    for (var each : rest.reversed()) {
      each.close();
    }
    for (var peer : peers) {
      new ProcessBuilder("kill", "-CONT", Long.toString(peer.pid())).start().waitFor();
      peer.close();
    }
  }

  private Engine engine(String... more) {
    var engine = Settings.of(Optional.empty(), List.of(more), DEFAULT ? PLAIN : SHORT).open();
    rest.add(engine);
    return engine;
  }

  private PeerProcess serve(String... settings) {
    return serve(List.of(Image.SHUNT), settings);
  }

  private PeerProcess serve(List<String> shunt, String... settings) {
    var arguments = new ArrayList<>(List.of("--memory", "64MiB"));
    arguments.addAll(List.of("--set", "transports.rdma.enable=false"));
    for (var setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    var peer = PeerProcess.start(shunt, arguments);
    peers.add(peer);
    return peer;
  }

  private static void tell(String what, Object... values) {
    System.out.println("silent peers: " + String.format(Locale.ROOT, what, values));
  }

  private static double millis(long since) {
    return (System.nanoTime() - since) / 1e6;
  }

  // ---- calls

  private static Delivery send(Engine engine, Segment peer) throws InterruptedException {
    return engine.send(peer, new Notification("are you", "there"), TIMEOUT).await(PATIENCE);
  }

  /** One notification, as it ends while the peer is silent for the first time. */
  private static double paid(Engine engine, Segment peer) throws InterruptedException {
    var begun = System.nanoTime();
    var delivery = send(engine, peer);
    var took = millis(begun);
    assertTrue(!(delivery instanceof Delivery.Delivered), delivery.toString());
    return took;
  }

  /** The next ones: what each takes, the median first. */
  private static double[] free(Engine engine, Segment peer) throws InterruptedException {
    var took = new double[21];
    for (int i = 0; i < took.length; i++) {
      var begun = System.nanoTime();
      var failure = assertInstanceOf(Delivery.NotDelivered.class, send(engine, peer)).failure();
      took[i] = millis(begun);
      assertEquals(FailureCode.UNREACHABLE, failure.code());
      assertTrue(failure.message().contains("is unreachable since "), failure.message());
      assertTrue(failure.message().contains("next probe "), failure.message());
    }
    Arrays.sort(took);
    return took;
  }

  private double usable(Engine engine, Segment peer, long since) throws InterruptedException {
    while (!(send(engine, peer) instanceof Delivery.Delivered)) {
      deadline.left("being usable again");
      Thread.sleep(2);
    }
    return millis(since);
  }

  private void assertFree(double[] took) {
    tell("  then %.3f ms, at most %.3f ms", took[took.length / 2], took[took.length - 1]);
    assertTrue(took[took.length / 2] < 1, "the median of " + Arrays.toString(took));
    assertTrue(took[took.length - 1] < TIMEOUT.toMillis() / 4.0, Arrays.toString(took));
  }

  private static void assertOneTimeout(double took) {
    assertTrue(
        took >= TIMEOUT.toMillis() - 1 && took < TIMEOUT.toMillis() * 1.5,
        took + " ms of " + TIMEOUT.toMillis());
  }

  @Test
  void aPeerThatIsStoppedCostsOneTimeoutAndIsUsableWithinASecondOfGoingOn() throws Exception {
    var process = serve();
    var engine = engine();
    var peer = engine.openSegment(process.awaitReady(deadline), PATIENCE);
    assertInstanceOf(Delivery.Delivered.class, send(engine, peer));
    Image.freeze(process.pid());
    var first = paid(engine, peer);
    tell("stopped: the first notification took %.0f ms", first);
    assertOneTimeout(first);
    assertFree(free(engine, peer));
    assertTrue(engine.status().peers().getFirst().unreachable().isPresent());
    for (var pause : List.of(0L, 1300L)) {
      if (pause > 0) {
        Image.freeze(process.pid());
        assertOneTimeout(paid(engine, peer));
        var until = System.nanoTime() + pause * 1_000_000;
        Image.await("the pause", PATIENCE, () -> System.nanoTime() - until > 0);
      }
      var thawed = System.nanoTime();
      Image.signal("CONT", process.pid());
      var usable = usable(engine, peer, thawed);
      tell("  usable %.0f ms after it went on", usable);
      assertTrue(usable < 1000, usable + " ms");
    }
    assertTrue(engine.status().peers().getFirst().unreachable().isEmpty());
  }

  @Test
  void aPeerWhoseNetworkDropsPacketsIsNoOther() throws Exception {
    var space = new Namespace(11);
    rest.add(space);
    var bind = "control.bind=[\"" + space.there() + "\"]";
    var rails = "transports.tcp.rails=[\"" + space.there() + "\"]";
    var process = serve(space.command(Image.SHUNT), bind, rails);
    var engine =
        engine(
            "control.bind=[\"" + space.here() + "\"]",
            "transports.tcp.rails=[\"" + space.here() + "\"]");
    var peer = engine.openSegment(process.awaitReady(deadline), PATIENCE);
    assertInstanceOf(Delivery.Delivered.class, send(engine, peer));
    space.drop();
    var first = paid(engine, peer);
    tell("dropped: the first notification took %.0f ms", first);
    assertOneTimeout(first);
    assertFree(free(engine, peer));
    var until = System.nanoTime() + 2_300_000_000L;
    Image.await("probes into the void", PATIENCE, () -> System.nanoTime() - until > 0);
    var passed = System.nanoTime();
    space.pass();
    var usable = usable(engine, peer, passed);
    tell("  usable %.0f ms after packets came through", usable);
    assertTrue(usable < 1100, usable + " ms");
  }

  @Test
  void aPeerThatRefusesConnectionsIsNoOther() throws Exception {
    var port = freePort();
    var process = serve("control.port=" + port);
    var engine = engine();
    var peer = engine.openSegment(process.awaitReady(deadline), PATIENCE);
    assertInstanceOf(Delivery.Delivered.class, send(engine, peer));
    kill(process);
    var first = paid(engine, peer);
    tell("reset: the first notification took %.1f ms", first);
    assertTrue(first < TIMEOUT.toMillis() / 2.0, first + " ms");
    Image.await(
        "the mark", PATIENCE, () -> engine.status().peers().getFirst().unreachable().isPresent());
    assertFree(free(engine, peer));
  }

  @Test
  void aPeerThatIsStoppedBeforeAnyContactCostsOneTimeout() throws Exception {
    var process = serve();
    var name = process.awaitReady(deadline);
    var engine = engine();
    Image.freeze(process.pid());
    var took = new double[21];
    for (int i = 0; i <= took.length; i++) {
      var begun = System.nanoTime();
      var refused = assertThrows(ShuntException.class, () -> engine.openSegment(name, TIMEOUT));
      assertEquals(FailureCode.UNREACHABLE, refused.code(), refused.getMessage());
      if (i == 0) {
        var first = millis(begun);
        tell("stopped before any contact: the first call took %.0f ms", first);
        assertOneTimeout(first);
      } else {
        took[i - 1] = millis(begun);
        assertTrue(refused.getMessage().contains("next probe"), refused.getMessage());
      }
    }
    Arrays.sort(took);
    assertFree(took);
    var thawed = System.nanoTime();
    Image.signal("CONT", process.pid());
    while (true) {
      try {
        engine.openSegment(name, TIMEOUT);
        break;
      } catch (ShuntException _) {
        deadline.left("being usable again");
        Thread.sleep(2);
      }
    }
    tell("  opened %.0f ms after it went on", millis(thawed));
    assertTrue(millis(thawed) < 1000);
  }

  @Test
  void aPeerThatComesLaterIsFoundThen() throws Exception {
    var port = freePort();
    var engine = engine();
    var name = "127.0.0.1:" + port;
    var begun = System.nanoTime();
    var refused = assertThrows(ShuntException.class, () -> engine.openSegment(name, TIMEOUT));
    tell("not there yet: the first call took %.1f ms", millis(begun));
    assertTrue(millis(begun) < TIMEOUT.toMillis() / 2.0);
    assertEquals(FailureCode.UNREACHABLE, refused.code());
    assertTrue(refused.getMessage().contains("efused"), refused.getMessage());
    Image.await("two seconds", PATIENCE, () -> millis(begun) > 2000);
    var process = serve("control.port=" + port);
    process.awaitReady(deadline);
    var there = System.nanoTime();
    while (true) {
      try {
        engine.openSegment(name, TIMEOUT);
        break;
      } catch (ShuntException _) {
        deadline.left("being found");
        Thread.sleep(2);
      }
    }
    tell("  opened %.0f ms after it was ready", millis(there));
    assertTrue(millis(there) < 1100);
  }

  // ---- transfers

  private record Ended(Outcome outcome, double took) {}

  private Ended write(Engine engine, MemorySegment from, Segment peer, Duration given)
      throws InterruptedException {
    var begun = System.nanoTime();
    var request = Request.write(from, peer, peer.buffers().getFirst().address());
    var outcome = engine.submit(Batch.of(request).within(given)).await(PATIENCE);
    return new Ended(outcome.outcomes().getFirst(), millis(begun));
  }

  private static MemorySegment memory(Engine engine, long size) {
    var memory = engine.arena().allocate(size, 4096);
    engine.register(memory, Access.LOCAL);
    return memory;
  }

  @Test
  void aTransferToAPeerThatWasStoppedAfterItWasMetCostsOneTimeout() throws Exception {
    var process = serve();
    var engine = engine();
    var memory = memory(engine, MIB);
    var peer = engine.openSegment(process.awaitReady(deadline), PATIENCE);
    Image.freeze(process.pid());
    var first = write(engine, memory, peer, TIMEOUT);
    tell("stopped after it was met: the first transfer took %.0f ms", first.took);
    assertOneTimeout(first.took);
    var second = write(engine, memory, peer, TIMEOUT);
    tell("  the second one %.3f ms: %s", second.took, second.outcome);
    var failure = assertInstanceOf(Outcome.Error.class, second.outcome).failure();
    assertEquals(FailureCode.UNREACHABLE, failure.code());
    assertTrue(failure.message().contains("next probe"), failure.message());
    assertTrue(second.took < TIMEOUT.toMillis() / 4.0, second.took + " ms");
    var thawed = System.nanoTime();
    Image.signal("CONT", process.pid());
    while (!(write(engine, memory, peer, TIMEOUT).outcome instanceof Outcome.Completed)) {
      deadline.left("a good transfer");
      Thread.sleep(2);
    }
    tell("  a good transfer %.0f ms after it went on", millis(thawed));
    assertTrue(millis(thawed) < 2000, millis(thawed) + " ms");
  }

  @Test
  void aTransferThatWasUnderWayEndsAtItsDeadlineOnce() throws Exception {
    var process = serve();
    var engine = engine();
    var memory = memory(engine, 32 * MIB);
    var peer = engine.openSegment(process.awaitReady(deadline), PATIENCE);
    assertInstanceOf(Outcome.Completed.class, write(engine, memory, peer, PATIENCE).outcome);
    Image.freeze(process.pid());
    var first = write(engine, memory, peer, TIMEOUT);
    tell("stopped under way: the transfer took %.0f ms", first.took);
    assertInstanceOf(Outcome.TimedOut.class, first.outcome);
    assertOneTimeout(first.took);
    var thawed = System.nanoTime();
    Image.signal("CONT", process.pid());
    var next = write(engine, memory.asSlice(0, MIB), peer, PATIENCE);
    assertInstanceOf(Outcome.Completed.class, next.outcome);
    tell("  a good transfer %.0f ms after it went on", millis(thawed));
    assertTrue(millis(thawed) < 1000 + TIMEOUT.toMillis(), millis(thawed) + " ms");
  }

  @Test
  void aCrowdOfSlicesToOneThatIsStoppedHoldsUpNobodyElse() throws Exception {
    var still = serve();
    var well = serve();
    var engine = engine("transports.tcp.slice-size=4KiB");
    var memory = memory(engine, 16 * MIB);
    var frozen = engine.openSegment(still.awaitReady(deadline), PATIENCE);
    var healthy = engine.openSegment(well.awaitReady(deadline), PATIENCE);
    var small = memory.asSlice(0, 4096);
    for (int i = 0; i < 200; i++) {
      assertInstanceOf(Outcome.Completed.class, write(engine, small, healthy, PATIENCE).outcome);
    }
    assertInstanceOf(Outcome.Completed.class, write(engine, small, frozen, PATIENCE).outcome);
    var before = latencies(engine, small, healthy);
    Image.freeze(still.pid());
    var requests = new ArrayList<Request>();
    var there = frozen.buffers().getFirst().address();
    for (int i = 0; i < 25; i++) {
      requests.add(Request.write(memory, frozen, there));
    }
    var begun = System.nanoTime();
    var crowd = engine.submit(Batch.of(requests).within(TIMEOUT));
    var during = latencies(engine, small, healthy);
    var status = engine.status();
    var inFlight =
        status.peers().stream()
            .filter(each -> each.name().equals(frozen.name()))
            .findFirst()
            .orElseThrow()
            .inFlightBytes();
    var outcomes = crowd.await(PATIENCE).outcomes();
    tell(
        "102400 slices to a stopped peer: ended after %.0f ms; ten to a healthy one took %.3f ms"
            + " at most (%.3f ms before); %d bytes in flight",
        millis(begun), during[9], before[9], inFlight);
    outcomes.forEach(outcome -> assertInstanceOf(Outcome.TimedOut.class, outcome));
    assertOneTimeout(millis(begun));
    assertTrue(during[9] < 50 + 20 * before[9], Arrays.toString(during));
    assertTrue(inFlight <= 64 * MIB, inFlight + " bytes beyond the window");
  }

  private double[] latencies(Engine engine, MemorySegment from, Segment peer)
      throws InterruptedException {
    var took = new double[10];
    for (int i = 0; i < took.length; i++) {
      var ended = write(engine, from, peer, PATIENCE);
      assertInstanceOf(Outcome.Completed.class, ended.outcome);
      took[i] = ended.took;
    }
    Arrays.sort(took);
    return took;
  }

  // ---- another process at the same address

  @Test
  void aPeerThatStartsAnewWithOtherAddressesAndOlderCapabilitiesIsSeenAsAnother() throws Exception {
    var port = freePort();
    var engine = engine("peer-health.probe-interval=200ms");
    var memory = memory(engine, MIB);
    var longest = 0.0;
    Segment old = null;
    for (int i = 0; i < 20; i++) {
      var rails = "transports.tcp.rails=[\"127.0.0." + (2 + i) + "\"]";
      var capability = i % 2 == 0 ? "capabilities.\"control.fence\"=on" : OLDER;
      var process = serve("control.port=" + port, rails, capability);
      var name = process.awaitReady(deadline);
      var there = System.nanoTime();
      Segment now = null;
      while (now == null) {
        try {
          now = engine.openSegment(name, TIMEOUT);
        } catch (ShuntException e) {
          assertEquals(FailureCode.UNREACHABLE, e.code(), e.getMessage());
          deadline.left("meeting the new one");
          Thread.sleep(2);
        }
      }
      Payload.fill(memory, i);
      while (!(write(engine, memory, now, TIMEOUT).outcome instanceof Outcome.Completed)) {
        deadline.left("a good transfer");
      }
      longest = Math.max(longest, millis(there));
      var questions = new Questions(engine, now);
      assertEquals(Payload.checksum(memory), questions.checksum(0, MIB, deadline), "round " + i);
      var agreed = engine.status().peers().getFirst().capabilities();
      assertEquals(i % 2 == 0, agreed.containsKey("control.fence"), agreed.toString());
      if (old != null) {
        var failure =
            assertInstanceOf(Outcome.Error.class, write(engine, memory, old, TIMEOUT).outcome)
                .failure();
        assertEquals(FailureCode.STALE_GENERATION, failure.code(), failure.describe());
      }
      old = now;
      kill(process);
    }
    tell("killed and started anew 20 times: a good transfer %.0f ms at most after", longest);
    assertTrue(longest < 1000, longest + " ms");
  }

  private static final String OLDER = "capabilities.\"control.fence\"=off";

  private static void kill(PeerProcess process) throws Exception {
    Image.signal("KILL", process.pid());
    Image.await(
        "its end",
        PATIENCE,
        () -> ProcessHandle.of(process.pid()).map(p -> !p.isAlive()).orElse(true));
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

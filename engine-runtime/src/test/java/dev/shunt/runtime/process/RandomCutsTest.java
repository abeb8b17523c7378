package dev.shunt.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Delivery;
import dev.shunt.api.Engine;
import dev.shunt.api.Notification;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.runtime.engine.EngineProbe;
import dev.shunt.runtime.engine.ShuntEngine;
import dev.shunt.runtime.transfer.core.Counter;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A healthy peer whose connections are reset at random, of data and of control: for {@code
 * -Dshunt.cuts.seconds} seconds, 20 if nothing is said.
 */
@Timeout(1200)
class RandomCutsTest {
  private static final long SECONDS = Long.getLong("shunt.cuts.seconds", 20);
  private static final long SEED = Long.getLong("shunt.cuts.seed", 4);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int LENGTH = 1 << 20;

  private final List<AutoCloseable> rest = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger streamCuts = new AtomicInteger();
  private final AtomicInteger controlCuts = new AtomicInteger();

  @AfterEach
  void close() throws Exception {
    over.set(true);
    for (var each : rest.reversed()) {
      each.close();
    }
  }

  private CuttingRelay relay(int port) throws Exception {
    var relay =
        new CuttingRelay(
            new InetSocketAddress("127.0.0.2", port), new InetSocketAddress("127.0.0.1", port));
    rest.add(relay);
    return relay;
  }

  /** Free at both addresses. */
  private static int freePort() throws Exception {
    try (var one = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        var other = new ServerSocket(one.getLocalPort(), 1, InetAddress.getByName("127.0.0.2"))) {
      return other.getLocalPort();
    }
  }

  private void cutAtRandom(CuttingRelay streams, CuttingRelay control) {
    var random = new SplittableRandom(SEED);
    try {
      while (!over.get()) {
        Thread.sleep(random.nextInt(5, 60));
        if (random.nextInt(4) == 0) {
          controlCuts.addAndGet(control.cut(random) ? 1 : 0);
        } else {
          streamCuts.addAndGet(streams.cut(random) ? 1 : 0);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whatIsHandedUpIsRightAndTheEngineConnectsAgainByItself() throws Exception {
    System.out.println("random cuts: seed " + SEED + ", " + SECONDS + " s");
    int port = freePort();
    int rail = freePort();
    var peer =
        NodeProcess.start(
            List.of(
                "control.port=" + port,
                "control.advertise=[\"127.0.0.2:" + port + "\"]",
                "transports.tcp.rails=[{ address = \"127.0.0.1\", name = r, port = "
                    + rail
                    + ", advertise = \"127.0.0.2\" }]"));
    rest.add(peer);
    var streams = relay(rail);
    var control = relay(port);
    var engine =
        Settings.open(
            List.of(
                "transports.tcp.slice-size=64KiB",
                "transports.tent.enable=false",
                "transports.tcp.rail-cooldown=50ms",
                "transports.tcp.rail-max-cooldown=100ms",
                "failover.max-attempts=1000",
                "failover.max-retry-delay=50ms"));
    rest.add(engine);
    var segment = engine.openSegment(peer.name, PATIENCE);
    var out = engine.arena().allocate(LENGTH, 4096);
    var back = engine.arena().allocate(LENGTH, 4096);
    engine.register(out, Access.LOCAL);
    engine.register(back, Access.LOCAL);
    var cutter = Thread.ofPlatform().start(() -> cutAtRandom(streams, control));
    var end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    var tally = new int[3];
    for (int seed = 1; System.nanoTime() - end < 0; seed++) {
      round(engine, segment, peer, out, back, seed, tally);
    }
    over.set(true);
    cutter.join();
    var began = System.nanoTime();
    round(engine, segment, peer, out, back, -1, new int[3]);
    var healed = (System.nanoTime() - began) / 1e6;
    var probe = new EngineProbe((ShuntEngine) engine);
    var seen = probe.count(Counter.CHANNELS_DOWN) + probe.count(Counter.CONNECTS_FAILED);
    System.out.printf(
        Locale.ROOT,
        "random cuts: %d of streams, %d of control; %d transfers completed, %d failed, %d"
            + " notifications not delivered; %d channels up, %d failures of channels and connects,"
            + " %d of attempts; well after %.0f ms%n",
        streamCuts.get(),
        controlCuts.get(),
        tally[0],
        tally[1],
        tally[2],
        probe.count(Counter.CHANNELS_UP),
        seen,
        probe.count(Counter.ATTEMPTS_FAILED),
        healed);
    assertTrue(streamCuts.get() > SECONDS, "hardly anything was cut");
    assertTrue(tally[0] > 0, "nothing completed");
    assertEquals(0, tally[1], "a healthy peer's transfers fail");
    assertTrue(healed < 2000, healed + " ms until all was well");
    // One that was cut before we ever used it may have been told to the peer alone.
    assertTrue(
        seen >= streamCuts.get() * 0.9, seen + " failures show of " + streamCuts.get() + " cuts");
    assertTrue(probe.count(Counter.CHANNELS_UP) > streamCuts.get() / 2);
  }

  private void round(
      Engine engine,
      Segment segment,
      NodeProcess peer,
      MemorySegment out,
      MemorySegment back,
      int seed,
      int[] tally)
      throws Exception {
    LoneNode.fill(out, seed);
    var there = segment.buffers().getFirst().address();
    if (moved(engine, Request.write(out, segment, there), tally)) {
      assertEquals(LoneNode.checksum(out), peer.ask("sum " + LENGTH), "seed " + seed);
      back.fill((byte) 0);
      if (moved(engine, Request.read(back, segment, there), tally)) {
        assertEquals(-1, out.mismatch(back), "seed " + seed);
      }
    }
    var sent = engine.send(segment, new Notification("n", "" + seed), PATIENCE).await(PATIENCE);
    if (!(sent instanceof Delivery.Delivered)) {
      tally[2]++;
      assertTrue(seed > 0, sent.toString());
    }
  }

  private static boolean moved(Engine engine, Request request, int[] tally)
      throws InterruptedException {
    var outcome =
        engine.submit(Batch.of(request).within(PATIENCE)).await(PATIENCE).outcomes().getFirst();
    var good = outcome instanceof Outcome.Completed;
    tally[good ? 0 : 1]++;
    if (!good) {
      System.out.println("random cuts: " + outcome);
    }
    return good;
  }
}

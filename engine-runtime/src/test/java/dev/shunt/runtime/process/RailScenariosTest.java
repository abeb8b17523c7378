package dev.shunt.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.Status;
import dev.shunt.api.Transfer;
import dev.shunt.runtime.engine.EngineProbe;
import dev.shunt.runtime.engine.ShuntEngine;
import dev.shunt.runtime.transfer.core.Counter;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happened to others with their rails, between two engines over TCP. */
class RailScenariosTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int SIZE = 1 << 20;

  private final TakenTcp tcp = new TakenTcp(true, _ -> true);
  private Engine a;
  private Engine b;
  private MemorySegment near;
  private MemorySegment far;
  private Segment segment;

  private void meet(List<String> ofA, List<String> ofB) throws InterruptedException {
    a = Settings.builder(ofA).transport(tcp).open();
    b = Settings.open(ofB);
    near = a.arena().allocate(SIZE, 4096);
    far = b.arena().allocate(SIZE, 4096);
    a.register(near, Access.LOCAL);
    b.register(far, Access.REMOTE_READ_WRITE);
    segment = a.openSegment(b.name(), SOON);
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
  }

  private Transfer write(long length, Duration given) {
    var request = Request.write(near.asSlice(0, length), segment, far.address());
    return a.submit(Batch.of(request).within(given));
  }

  private void arrives(int seed) throws InterruptedException {
    LoneNode.fill(near, seed);
    write(SIZE, SOON).await(SOON).orThrow();
    assertEquals(-1, near.mismatch(far));
  }

  private long count(Counter counter) {
    return new EngineProbe((ShuntEngine) a).count(counter);
  }

  private List<Status.RailStatus> rails() {
    return a.status().transports().stream()
        .filter(transport -> transport.id().equals("tcp"))
        .findFirst()
        .orElseThrow()
        .rails();
  }

  private Status.Peer peer() {
    return a.status().peers().getFirst();
  }

  private static void until(String what, BooleanSupplier holds) throws InterruptedException {
    var end = System.nanoTime() + SOON.toNanos();
    while (!holds.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, what);
      Thread.sleep(2);
    }
  }

  @Test
  void oneSliceOfAHundredThatIsNeverHeardOfEndsByItsDeadline() throws InterruptedException {
    meet(
        List.of(
            "transports.tcp.slice-size=4KiB",
            "transports.tcp.merge-limit=0B",
            "transports.tent.enable=false",
            "transports.tcp.stall-limit=2s"),
        List.of());
    arrives(1);
    tcp.swallowsEach = 100;
    var given = Duration.ofMillis(700);
    var began = System.nanoTime();
    var transfer = write(SIZE, given);
    var outcome = transfer.await(SOON).outcomes().getFirst();
    var took = Duration.ofNanos(System.nanoTime() - began);
    System.out.println("one slice of a hundred swallowed: ended after " + took.toMillis() + " ms");
    assertTrue(outcome instanceof Outcome.TimedOut, outcome.toString());
    assertTrue(took.compareTo(given) >= 0, took.toString());
    assertTrue(took.compareTo(given.plusMillis(250)) < 0, took.toString());
    until("nothing is under way", () -> peer().inFlightBytes() == 0);
    tcp.swallowsEach = 0;
    assertFalse(transfer.settled().await(SOON).quarantined());
    assertEquals(0, a.status().memory().drainingBytes());
    arrives(2);
    assertEquals(0, peer().inFlightBytes());
  }

  @Test
  void eightHundredAtOnceMakeOneConnectionForEachPath() throws InterruptedException {
    meet(List.of(), List.of());
    var go = new CountDownLatch(1);
    var ended = new CountDownLatch(800);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      go.await();
                    } catch (InterruptedException e) {
                      return;
                    }
                    for (int each = 0; each < 100; each++) {
                      write(64, SOON).done().whenDone(_ -> ended.countDown());
                    }
                  }));
    }
    go.countDown();
    for (var thread : threads) {
      thread.join(SOON);
    }
    until("all have ended", () -> ended.getCount() == 0);
    var paths = peer().paths();
    assertTrue(count(Counter.CHANNELS_UP) <= paths.size(), paths.toString());
    assertEquals(0, count(Counter.CHANNELS_DOWN));
    assertEquals(800, a.status().counters().get("slices-completed"));
  }

  @Test
  void aSliceThatIsTooLongForThePeerIsRefusedAndCostsNoConnection() throws InterruptedException {
    meet(
        List.of("transports.tent.enable=false"),
        List.of(
            "transports.tcp.max-slice=8KiB",
            "transports.tcp.slice-size=8KiB",
            "transports.tcp.merge-limit=8KiB"));
    write(4096, SOON).await(SOON).orThrow();
    long up = count(Counter.CHANNELS_UP);
    var outcome = write(SIZE, SOON).await(SOON).outcomes().getFirst();
    var failure = assertInstanceOf(Outcome.Error.class, outcome).failure();
    assertEquals(FailureCode.UNSUPPORTED, failure.code());
    assertTrue(failure.message().contains("8192 at most (max-slice)"), failure.message());
    for (int i = 0; i < 20; i++) {
      write(8192, SOON).await(SOON).orThrow();
    }
    assertEquals(0, count(Counter.CHANNELS_DOWN));
    assertTrue(count(Counter.CHANNELS_UP) <= up + 1, "a lane connects once");
    assertEquals(0, count(Counter.SLICES_REDONE));
    var rail = rails().getFirst();
    assertEquals("ACTIVE", rail.state());
    assertTrue(
        peer().paths().stream().allMatch(path -> path.until().isEmpty()),
        peer().paths().toString());
  }

  @Test
  void ofThreeRailsTheOneThatCannotBeHadIsLeftOut() throws InterruptedException {
    meet(List.of("transports.tcp.rails=[\"127.0.0.1\",\"192.0.2.1\",\"127.0.0.2\"]"), List.of());
    assertEquals(
        List.of("127.0.0.1", "127.0.0.2"), rails().stream().map(Status.RailStatus::name).toList());
    for (int i = 0; i < 8; i++) {
      arrives(i);
    }
    assertTrue(
        peer().paths().stream().filter(path -> path.state().equals("UP")).count() >= 2,
        peer().paths().toString());
  }
}

package dev.shunt.runtime.engine;

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
import dev.shunt.runtime.transfer.core.Counter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two engines: what cannot go by TCP goes over the control plane, and comes back in the end. */
class NextTransportTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int SIZE = 4 << 20;

  /** Where the rail of TCP really listens, and where peers are told that it does. */
  private static final String BEHIND = "127.0.0.1";

  private static final String TOLD = "127.0.0.2";

  private Relay relay;
  private Engine a;
  private Engine b;
  private MemorySegment near;
  private MemorySegment far;
  private Segment segment;

  private void open(boolean tcpOpen, Map<String, Object> more)
      throws IOException, InterruptedException {
    int port = Relay.freePort(BEHIND, TOLD);
    relay = new Relay(new InetSocketAddress(TOLD, port), new InetSocketAddress(BEHIND, port));
    if (tcpOpen) {
      relay.open();
    }
    a = engine(Map.of());
    var rail = Map.of("address", BEHIND, "name", "r", "port", port, "advertise", TOLD);
    var settings = new TreeMap<String, Object>(more);
    settings.put("transports.tcp.rails", List.of(rail));
    b = engine(settings);
    near = a.arena().allocate(SIZE, 4096);
    far = b.arena().allocate(SIZE, 4096);
    a.register(near, Access.LOCAL);
    b.register(far, Access.REMOTE_READ_WRITE);
    segment = a.openSegment(b.name(), SOON);
    fill(1);
  }

  private static Engine engine(Map<String, Object> settings) {
    var builder =
        new RuntimeFactory()
            .builder()
            .set("transports.rdma.enable", false)
            .set("transports.nof.enable", false);
    settings.forEach(builder::set);
    return builder.open();
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
    relay.close();
  }

  private void fill(int seed) {
    for (int i = 0; i < SIZE; i += 8) {
      near.set(ValueLayout.JAVA_LONG, i, i * 0x9E3779B97F4A7C15L + seed);
    }
  }

  private Transfer write(long bytes) {
    return a.submit(
        Batch.of(Request.write(near.asSlice(0, bytes), segment, far.address())).within(SOON));
  }

  private Transfer read(long bytes) {
    return a.submit(
        Batch.of(Request.read(near.asSlice(0, bytes), segment, far.address())).within(SOON));
  }

  private long count(Counter counter, String transport) {
    return new EngineProbe((ShuntEngine) a).count(counter, transport);
  }

  private static void until(BooleanSupplier condition, String what) throws InterruptedException {
    long end = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what);
      Thread.sleep(2);
    }
  }

  @Test
  void aTransferGoesByTheControlPlaneWhereTheRailsOfTcpRefuse() throws Exception {
    open(false, Map.of());
    write(SIZE).await(SOON).orThrow();
    assertEquals(-1, near.mismatch(far));
    assertEquals(1, count(Counter.REQUESTS_MOVED, "tcp"));
    assertTrue(count(Counter.BYTES_COMPLETED, "tent") >= SIZE);

    fill(2);
    write(SIZE).await(SOON).orThrow();
    assertEquals(-1, near.mismatch(far));
    fill(3);
    read(SIZE).await(SOON).orThrow();
    assertEquals(-1, near.mismatch(far));
    assertEquals(0, count(Counter.BYTES_COMPLETED, "tcp"));
    assertTrue(
        count(Counter.REQUESTS_MOVED, "tcp") <= 2, "the next ones go straight, but for a trial");
  }

  private List<Optional<Instant>> pauses() {
    return a.status().peers().getFirst().paths().stream()
        .map(Status.PathStatus::until)
        .filter(Optional::isPresent)
        .toList();
  }

  @Test
  void aPauseEndsAtTheSameMomentHoweverOftenSomebodyLooks() throws Exception {
    open(false, Map.of());
    write(SIZE).await(SOON).orThrow();
    until(() -> !pauses().isEmpty(), "no path rests");
    var first = pauses();
    for (int i = 0; i < 20; i++) {
      Thread.sleep(1);
      assertEquals(first, pauses());
    }
  }

  @Test
  void whatIsUnderWayMovesWhenItsStreamsBreakAndComesBackLater() throws Exception {
    open(true, Map.of());
    write(SIZE).await(SOON).orThrow();
    assertEquals(0, count(Counter.REQUESTS_MOVED, "tcp"));
    var before = relay.bytes();
    fill(2);
    var moved = write(SIZE);
    until(() -> relay.bytes() > before, "nothing went by the rail");
    relay.close();
    moved.await(SOON).orThrow();
    assertEquals(-1, near.mismatch(far));
    fill(3);
    write(SIZE).await(SOON).orThrow();
    assertEquals(-1, near.mismatch(far));
    assertTrue(count(Counter.REQUESTS_MOVED, "tcp") > 0);
    assertTrue(count(Counter.BYTES_COMPLETED, "tent") > 0);

    relay.open();
    var tcp = count(Counter.BYTES_COMPLETED, "tcp");
    until(
        () -> {
          try {
            write(4096).await(SOON).orThrow();
            return count(Counter.BYTES_COMPLETED, "tcp") > tcp;
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        "it never came back");
    var tent = count(Counter.BYTES_COMPLETED, "tent");
    fill(4);
    write(SIZE).await(SOON).orThrow();
    assertEquals(-1, near.mismatch(far));
    assertEquals(tent, count(Counter.BYTES_COMPLETED, "tent"), "all goes by TCP again");
  }

  @Test
  void aBatchOfManyEndsOnceThoughItsRequestsMove() throws Exception {
    open(false, Map.of());
    var requests = new Request[512];
    for (int i = 0; i < requests.length; i++) {
      requests[i] =
          Request.write(near.asSlice(i * 8192L, 8192), segment, far.address() + i * 8192L);
    }
    var transfer = a.submit(Batch.of(List.of(requests)).within(SOON));
    var result = transfer.await(SOON);
    assertTrue(result.outcomes().stream().allMatch(o -> o instanceof Outcome.Completed));
    assertEquals(SIZE, result.bytes());
    assertEquals(SIZE, transfer.transferredBytes());
    assertEquals(-1, near.mismatch(far));
    assertFalse(transfer.settled().await(SOON).quarantined());
    until(() -> a.status().peers().getFirst().queuedRequests() == 0, "requests are left over");
  }

  @Test
  void aCancelWhileItMovesEndsItOnce() throws Exception {
    open(false, Map.of());
    for (int i = 0; i < 50; i++) {
      var transfer = write(SIZE);
      if (i % 3 == 0) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(400_000L * (i % 7));
      }
      transfer.cancel();
      var outcome = transfer.await(SOON).outcomes().getFirst();
      assertTrue(
          outcome instanceof Outcome.Cancelled || outcome instanceof Outcome.Completed,
          () -> outcome.toString());
      transfer.settled().await(SOON);
    }
  }

  @Test
  void aCloseWhileItMovesEndsItOnce() throws Exception {
    open(false, Map.of());
    var transfer = write(SIZE);
    a.close();
    assertTrue(transfer.done().isDone());
    assertTrue(transfer.settled().isDone());
  }

  @Test
  void withoutAnyOtherTransportItEndsWithItsHistory() throws Exception {
    open(true, Map.of());
    a.close();
    a = engine(Map.of("transports.tent.enable", false, "failover.max-attempts", 3));
    near = a.arena().allocate(SIZE, 4096);
    a.register(near, Access.LOCAL);
    segment = a.openSegment(b.name(), SOON);
    var before = relay.bytes();
    var transfer = write(SIZE);
    until(() -> relay.bytes() > before, "nothing went by the rail");
    relay.close();
    var outcome = transfer.await(SOON).outcomes().getFirst();
    if (outcome instanceof Outcome.Completed) {
      // All of it was through already; then the next one meets the closed rail.
      outcome = write(SIZE).await(SOON).outcomes().getFirst();
    }
    var failure = assertInstanceOf(Outcome.Error.class, outcome).failure();
    assertTrue(
        List.of(FailureCode.CONNECTION, FailureCode.UNREACHABLE, FailureCode.NO_RAIL)
            .contains(failure.code()),
        failure::describe);
  }
}

package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Buffer;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.Rejection;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.Transfer;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What always holds for a transfer, between this process and one from the image. */
class TransfersImageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> TCP_ALONE = List.of("transports.rdma.enable=false");
  private static final int MIB = 1 << 20;
  private static final int MEMORY = 64 * MIB;

  private final Deadline deadline = Deadline.in(Duration.ofMinutes(4));
  private PeerProcess process;
  private Engine engine;
  private Segment peer;
  private long remote;
  private Questions questions;
  private MemorySegment local;
  private Buffer buffer;

  @BeforeEach
  void meet() throws InterruptedException {
    process = Image.serve(MEMORY + "B");
    engine = Settings.of(Optional.empty(), DemoCommand.TWO_RAILS, TCP_ALONE).open();
    peer = engine.openSegment(process.awaitReady(deadline), PATIENCE);
    remote = peer.buffers().getFirst().address();
    questions = new Questions(engine, peer);
    local = engine.arena().allocate(16 * MIB, 4096);
    buffer = engine.register(local, Access.LOCAL);
  }

  @AfterEach
  void part() {
    engine.close();
    process.close();
  }

  @Test
  void eachPluginIsFoundOnce() {
    var plugins = engine.status().plugins();
    var ids = plugins.stream().map(plugin -> plugin.kind() + " " + plugin.id()).toList();
    assertEquals(ids.stream().distinct().toList(), ids);
    assertTrue(ids.contains("transport tcp"), plugins.toString());
    assertTrue(
        plugins.stream().noneMatch(plugin -> plugin.cause().contains("did not reach")),
        plugins.toString());
  }

  @Test
  void whatIsCompletedIsWholeAtTheReceiverAtThatMoment() throws Exception {
    for (int i = 0; i < 400; i++) {
      var piece = local.asSlice(i % 16 * MIB, MIB);
      Payload.fill(piece, i);
      long offset = (long) (i * 7 % 64) * MIB;

      assertCompleted(submit(Request.write(piece, peer, remote + offset)));

      assertEquals(
          Payload.checksum(piece), questions.checksum(offset, MIB, deadline), "write " + i);
    }

    var beyond = remote + MEMORY - MIB / 2;
    var bad = submit(Request.write(local.asSlice(0, MIB), peer, beyond)).outcomes().getFirst();
    var failure = assertInstanceOf(Outcome.Error.class, bad).failure();
    assertEquals(FailureCode.REJECTED, failure.code());
    var range =
        assertInstanceOf(Rejection.RemoteOutOfRange.class, failure.rejection().orElseThrow());
    assertEquals(beyond, range.address());
    assertEquals(MIB, range.length());

    var good = local.asSlice(MIB, MIB);
    assertCompleted(submit(Request.write(good, peer, remote + MEMORY - MIB)));
    assertEquals(Payload.checksum(good), questions.checksum(MEMORY - MIB, MIB, deadline));
  }

  @Test
  void aSliceThatOutlivesItsDeadlineTimesOutOnceAndThenDrains() throws Exception {
    assertCompleted(submit(Request.write(local.asSlice(0, MIB), peer, remote)));
    for (int size : new int[] {4096, 16 * MIB}) {
      outlive(local.asSlice(0, size));
      assertCompleted(submit(Request.write(local.asSlice(0, MIB), peer, remote)));
    }

    // Now with the buffer going away.
    Image.freeze(process.pid());
    var transfer = submitFrozen(local);
    assertFalse(buffer.unregister(Duration.ofMillis(50)), "given back while its bytes drain");
    assertEquals(Buffer.State.DRAINING, buffer.state());
    Image.signal("CONT", process.pid());
    assertFalse(transfer.settled().await(PATIENCE).quarantined());
    assertTrue(buffer.unregister(PATIENCE));
    assertEquals(Buffer.State.UNREGISTERED, buffer.state());
  }

  private void outlive(MemorySegment memory) throws Exception {
    Image.freeze(process.pid());
    long frozen = System.nanoTime();
    var ends = new AtomicInteger();
    var transfer = submitFrozen(memory);
    transfer.done().whenDone(_ -> ends.incrementAndGet());
    var result = transfer.done().poll().orElseThrow();
    assertFalse(transfer.settled().isDone(), "settled while the peer is frozen");
    assertEquals(memory.byteSize(), engine.status().memory().drainingBytes());

    Image.await("500 ms", PATIENCE, () -> System.nanoTime() - frozen > 500_000_000L);
    Image.signal("CONT", process.pid());

    assertFalse(transfer.settled().await(PATIENCE).quarantined());
    assertSame(result, transfer.done().poll().orElseThrow(), "an outcome changed");
    Image.await("the callback", PATIENCE, () -> ends.get() > 0);
    assertEquals(1, ends.get());
    Image.await("drained", PATIENCE, () -> engine.status().memory().drainingBytes() == 0);
    assertEquals(0, engine.status().memory().quarantinedBytes());
  }

  /** Writes to the frozen peer with 100 ms, and sees it time out. */
  private Transfer submitFrozen(MemorySegment memory) throws InterruptedException {
    long start = System.nanoTime();
    var transfer =
        engine.submit(Batch.of(Request.write(memory, peer, remote)).within(Duration.ofMillis(100)));
    var outcome = transfer.await(PATIENCE).outcomes().getFirst();
    long millis = (System.nanoTime() - start) / 1_000_000;
    var failure = assertInstanceOf(Outcome.TimedOut.class, outcome).failure();
    assertEquals(FailureCode.DEADLINE, failure.code());
    assertTrue(failure.remoteEffect(), failure.describe());
    assertTrue(millis >= 100, "timed out after " + millis + " ms");
    return transfer;
  }

  @Test
  void sizesAroundALimitArriveWholeBothWays() throws Exception {
    for (int size : new int[] {1, 65_535, 65_536, 65_537}) {
      var source = local.asSlice(0, size);
      var back = local.asSlice(8 * MIB, size);
      Payload.fill(source, size);

      assertCompleted(submit(Request.write(source, peer, remote + 3)));
      assertEquals(Payload.checksum(source), questions.checksum(3, size, deadline), "of " + size);
      assertCompleted(submit(Request.read(back, peer, remote + 3)));
      assertEquals(-1, source.mismatch(back), "of " + size);
    }
  }

  @Test
  void nothingEndsAtOnceAndWell() throws Exception {
    var zero = engine.submit(Batch.of(Request.write(local.asSlice(0, 0), peer, remote)));
    assertTrue(zero.done().isDone(), "a request of length 0 waits for something");
    assertEquals(new Outcome.Completed(0), zero.await(PATIENCE).outcomes().getFirst());

    var empty = engine.submit(Batch.of(List.of()));
    assertTrue(empty.done().isDone(), "a batch of none waits for something");
    assertTrue(empty.await(PATIENCE).completed());
    assertTrue(empty.settled().isDone());
  }

  @Test
  void oneOfManyRequestsFailsAlone() throws Exception {
    int count = 4096;
    int wrong = 1234;
    int length = 4096;
    Payload.fill(local, count);
    var requests = new ArrayList<Request>();
    for (int i = 0; i < count; i++) {
      long at = (long) i * length;
      var piece = local.asSlice(at, length);
      requests.add(Request.write(piece, peer, i == wrong ? remote + MEMORY : remote + at));
    }
    var ends = new AtomicInteger();
    var transfer = engine.submit(Batch.of(requests).within(PATIENCE));
    transfer.done().whenDone(_ -> ends.incrementAndGet());

    var outcomes = transfer.await(PATIENCE).outcomes();

    assertEquals(count, outcomes.size());
    for (int i = 0; i < count; i++) {
      assertEquals(i == wrong ? "FAILED" : "COMPLETED", outcomes.get(i).code(), "request " + i);
    }
    long after = (wrong + 1L) * length;
    var tail = local.asSlice(after);
    assertEquals(Payload.checksum(tail), questions.checksum(after, tail.byteSize(), deadline));
    Image.await("the callback", PATIENCE, () -> ends.get() > 0);
    assertEquals(1, ends.get());
  }

  private Transfer.Result submit(Request request) throws InterruptedException {
    return engine.submit(Batch.of(request).within(PATIENCE)).await(PATIENCE);
  }

  private static void assertCompleted(Transfer.Result result) {
    assertTrue(result.orThrow().completed());
  }
}

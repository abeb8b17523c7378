package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Buffer;
import dev.shunt.api.Delivery;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import dev.shunt.api.Outcome;
import dev.shunt.api.Rejection;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Transfer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two engines in one process, over TCP on loopback. */
class EnginePairTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int SIZE = 8 << 20;

  private Engine a;
  private Engine b;
  private MemorySegment source;
  private MemorySegment sink;
  private MemorySegment remote;
  private Segment segment;
  private Buffer sinkBuffer;

  @BeforeEach
  void open() throws InterruptedException {
    a = engine();
    b = engine();
    source = a.arena().allocate(SIZE, 4096);
    sink = a.arena().allocate(SIZE, 4096);
    remote = b.arena().allocate(SIZE, 4096);
    fill(source, 7);
    a.register(source, Access.LOCAL);
    sinkBuffer = a.register(sink, Access.LOCAL);
    b.register(remote, Access.REMOTE_READ_WRITE);
    segment = a.openSegment(b.name(), SOON);
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
  }

  private static Engine engine() {
    return engine(0);
  }

  private static Engine engine(int port) {
    return new RuntimeFactory()
        .builder()
        .set("transports.tcp.rails", List.of("127.0.0.1", "127.0.0.2"))
        .set("transports.rdma.enable", false)
        .set("control.port", port)
        .set("control.bind", List.of("127.0.0.1", "127.0.0.2"))
        .open();
  }

  private static void fill(MemorySegment memory, long seed) {
    var random = new SplittableRandom(seed);
    for (long i = 0; i < memory.byteSize(); i += 8) {
      memory.set(ValueLayout.JAVA_LONG, i, random.nextLong());
    }
  }

  @Test
  void whatIsWrittenIsThereAndIsReadBack() throws InterruptedException {
    var write = a.submit(Batch.of(Request.write(source, segment, remote.address())));
    assertTrue(write.await(SOON).orThrow().completed());
    assertEquals(-1, source.mismatch(remote));
    var read = a.submit(Batch.of(Request.read(sink, segment, remote.address())));
    assertEquals(SIZE, read.await(SOON).orThrow().bytes());
    assertEquals(-1, source.mismatch(sink));
    assertFalse(read.settled().await(SOON).quarantined());
  }

  @Test
  void aBatchOfManySizesEndsOnceForEach() throws InterruptedException {
    var sizes = new int[] {0, 1, 65_535, 65_536, 65_537, 1 << 20, 3_000_000};
    var requests = new ArrayList<Request>();
    long at = 0;
    for (var size : sizes) {
      requests.add(Request.write(source.asSlice(at, size), segment, remote.address() + at));
      at += size;
    }
    var result = a.submit(Batch.of(requests)).await(SOON).orThrow();
    assertEquals(at, result.bytes());
    assertEquals(-1, source.asSlice(0, at).mismatch(remote.asSlice(0, at)));
  }

  @Test
  void anEmptyBatchEndsAtOnce() {
    var transfer = a.submit(Batch.of(List.of()));
    assertTrue(transfer.done().isDone());
    assertTrue(transfer.settled().isDone());
  }

  @Test
  void aRangeBeyondTheRemoteBufferIsRejectedAndTheRestGoesOn() throws InterruptedException {
    var good = Request.write(source.asSlice(0, 100), segment, remote.address());
    var bad = Request.write(source.asSlice(0, 100), segment, remote.address() + SIZE - 99);
    var result = a.submit(Batch.of(good, bad, good)).await(SOON);
    assertInstanceOf(Outcome.Completed.class, result.outcomes().get(0));
    assertInstanceOf(Outcome.Completed.class, result.outcomes().get(2));
    var failure = assertInstanceOf(Outcome.Error.class, result.outcomes().get(1)).failure();
    assertEquals(FailureCode.REJECTED, failure.code());
    assertEquals(
        new Rejection.RemoteOutOfRange(b.name(), remote.address() + SIZE - 99, 100),
        failure.rejection().orElseThrow());
  }

  @Test
  void aNotificationArrives() throws InterruptedException {
    var sent = a.send(segment, new Notification("hello", "wörld"), SOON);
    assertEquals(new Delivery.Delivered(), sent.await(SOON));
    assertEquals(
        new Notification("hello", "wörld"), b.inbox().receive(SOON).orElseThrow().notification());
  }

  @Test
  void aNotificationBoundToABatchFollowsIt() throws InterruptedException {
    var batch =
        Batch.of(Request.write(source, segment, remote.address()))
            .thenNotify(new Notification("written", "all"));
    a.submit(batch).await(SOON).orThrow();
    var received = b.inbox().receive(SOON).orElseThrow();
    assertEquals("written", received.notification().name());
    assertEquals(-1, source.mismatch(remote));
  }

  @Test
  void unregisteredMemoryIsFreeAndNoLongerServed() throws InterruptedException {
    assertTrue(sinkBuffer.unregister(SOON));
    assertEquals(Buffer.State.UNREGISTERED, sinkBuffer.state());
    var read = a.submit(Batch.of(Request.read(sink, segment, remote.address()))).await(SOON);
    var failure = assertInstanceOf(Outcome.Error.class, read.outcomes().getFirst()).failure();
    assertInstanceOf(Rejection.LocalNotRegistered.class, failure.rejection().orElseThrow());
  }

  @Test
  void theStatusShowsThePeerAndItsPaths() throws InterruptedException {
    a.submit(Batch.of(Request.write(source, segment, remote.address()))).await(SOON).orThrow();
    var status = a.status();
    assertEquals(b.name(), status.peers().getFirst().name());
    assertEquals(b.generation(), status.peers().getFirst().generation());
    assertTrue(
        status.peers().getFirst().paths().stream().anyMatch(path -> path.state().equals("UP")),
        () -> status.toString());
    assertEquals(SIZE, status.counters().get("bytes-completed"));
  }

  private static Rejection rejection(Transfer transfer) throws InterruptedException {
    var outcome = transfer.await(SOON).outcomes().getFirst();
    return assertInstanceOf(Outcome.Error.class, outcome).failure().rejection().orElseThrow();
  }

  @Test
  void whatTheRemoteDoesNotAllowIsRejectedBeforeAByteGoesOut() throws InterruptedException {
    var readable = b.arena().allocate(64);
    b.register(readable, Access.REMOTE_READ);
    var renewed = a.openSegment(b.name(), SOON);
    var write = Request.write(source.asSlice(0, 64), renewed, readable.address());
    assertInstanceOf(Rejection.NotAllowed.class, rejection(a.submit(Batch.of(write))));
    a.submit(Batch.of(Request.read(sink.asSlice(0, 64), renewed, readable.address())))
        .await(SOON)
        .orThrow();
  }

  @Test
  void aSegmentOfAnotherEngineIsRejected() throws InterruptedException {
    var foreign = b.openSegment(a.name(), SOON);
    var write = Request.write(source.asSlice(0, 8), foreign, remote.address());
    assertInstanceOf(Rejection.ForeignSegment.class, rejection(a.submit(Batch.of(write))));
  }

  @Test
  void memoryOnTheHeapIsRejectedAsASource() throws InterruptedException {
    var heap = MemorySegment.ofArray(new byte[8]);
    var write = Request.write(heap, segment, remote.address());
    assertInstanceOf(Rejection.LocalNotRegistered.class, rejection(a.submit(Batch.of(write))));
  }

  @Test
  void memoryThatThePeerGaveBackIsRefusedByThePeer() throws InterruptedException {
    var given = b.arena().allocate(64);
    var buffer = b.register(given, Access.REMOTE_READ_WRITE);
    var renewed = a.openSegment(b.name(), SOON);
    assertTrue(buffer.unregister(SOON));
    var write = Request.write(source.asSlice(0, 64), renewed, given.address());
    var outcome = a.submit(Batch.of(write)).await(SOON).outcomes().getFirst();
    var failure = assertInstanceOf(Outcome.Error.class, outcome).failure();
    assertEquals(FailureCode.REMOTE_RANGE, failure.code());
    a.submit(Batch.of(Request.write(source, renewed, remote.address()))).await(SOON).orThrow();
  }

  @Test
  void aSegmentOfNobodyIsRefusedWithTheReason() {
    var thrown =
        assertThrows(
            ShuntException.class, () -> a.openSegment("127.0.0.1:1", Duration.ofSeconds(5)));
    assertTrue(thrown.getMessage().contains("127.0.0.1:1"), thrown::getMessage);
  }

  @Test
  void aClosedEngineRefusesWorkAndEndsWhatIsUnderWay() throws InterruptedException {
    var transfer = a.submit(Batch.of(Request.write(source, segment, remote.address())));
    a.close();
    assertTrue(transfer.done().isDone());
    assertTrue(transfer.settled().isDone());
    var thrown = assertThrows(ShuntException.class, () -> a.submit(Batch.of(List.of())));
    assertEquals(FailureCode.CLOSED, thrown.code());
    a.close();
  }

  @Test
  void aRestartedPeerIsNoticedAndItsOldSegmentSaysSo() throws InterruptedException {
    a.submit(Batch.of(Request.write(source, segment, remote.address()))).await(SOON).orThrow();
    var port = Integer.parseInt(b.name().substring(b.name().lastIndexOf(':') + 1));
    b.close();
    b = engine(port);
    var again = b.arena().allocate(SIZE, 4096);
    b.register(again, Access.REMOTE_READ_WRITE);
    var old = a.submit(Batch.of(Request.write(source, segment, remote.address())));
    var outcome = old.await(SOON).outcomes().getFirst();
    var failure = assertInstanceOf(Outcome.Error.class, outcome).failure();
    assertEquals(FailureCode.STALE_GENERATION, failure.code());
    var renewed = a.openSegment(b.name(), SOON);
    assertTrue(renewed.generation() != segment.generation());
    a.submit(Batch.of(Request.write(source, renewed, again.address()))).await(SOON).orThrow();
    assertEquals(-1, source.mismatch(again));
  }

  @Test
  void aTimeoutLongerThanAnyClockIsForEver() throws InterruptedException {
    var forEver = Duration.ofSeconds(Long.MAX_VALUE);
    var write = Request.write(source.asSlice(0, 8), segment, remote.address());
    a.submit(Batch.of(write).within(forEver)).await(forEver).orThrow();
    assertEquals(b.name(), a.openSegment(b.name(), forEver).name());
  }

  @Test
  void strictRailsKeepAnEngineFromStartingWithoutThem() {
    var thrown =
        assertThrows(
            ShuntException.class,
            () ->
                new RuntimeFactory()
                    .builder()
                    .set("transports.rdma.enable", false)
                    .set("transports.tcp.rails", List.of("192.0.2.1"))
                    .set("transports.tcp.strict-rails", true)
                    .open());
    assertEquals(FailureCode.CONFIGURATION, thrown.code());
    assertTrue(thrown.getMessage().contains("strict-rails"), thrown::getMessage);
    assertTrue(thrown.getMessage().contains("192.0.2.1"), thrown::getMessage);
  }

  @Test
  void enginesThatCameAndWentLeaveNoFileOpen() {
    // They may still tell one another of changes, by connections that come and go.
    a.close();
    b.close();
    engineThatLacksATransport();
    var before = openFiles();
    for (int i = 0; i < 10; i++) {
      engineThatLacksATransport();
    }
    assertEquals(before, openFiles());
  }

  @Test
  void anEngineThatDoesNotStartLeavesNoPortTaken() {
    int port = Integer.parseInt(a.name().substring(a.name().lastIndexOf(':') + 1));
    a.close();
    for (int i = 0; i < 2; i++) {
      var thrown =
          assertThrows(
              ShuntException.class,
              () ->
                  new RuntimeFactory()
                      .builder()
                      .set("control.port", port)
                      .set("plugins.required", List.of("none-such"))
                      .open());
      assertTrue(thrown.getMessage().contains("none-such"), thrown::getMessage);
      var strict =
          assertThrows(
              ShuntException.class,
              () ->
                  new RuntimeFactory()
                      .builder()
                      .set("control.port", port)
                      .set("transports.rdma.enable", false)
                      .set("transports.tcp.rails", List.of("192.0.2.1"))
                      .set("transports.tcp.strict-rails", true)
                      .open());
      assertTrue(strict.getMessage().contains("strict-rails"), strict::getMessage);
    }
    engine(port).close();
  }

  private static void engineThatLacksATransport() {
    new RuntimeFactory().builder().set("transports.tcp.rails", List.of("192.0.2.1")).open().close();
  }

  private static int openFiles() {
    return new java.io.File("/proc/self/fd").list().length;
  }

  @Test
  void unregisteringDuringATransferWaitsForIt() throws InterruptedException {
    var transfer = a.submit(Batch.of(Request.read(sink, segment, remote.address())));
    assertTrue(sinkBuffer.unregister(SOON));
    assertTrue(transfer.settled().await(SOON) != null);
    assertTrue(transfer.done().isDone());
  }

  @Test
  void aPeerThatClosesWhileItIsReadEndsEachRequestOnce() throws InterruptedException {
    var requests = new ArrayList<Request>();
    for (int i = 0; i < 64; i++) {
      requests.add(Request.read(sink, segment, remote.address()));
    }
    var transfer = a.submit(Batch.of(requests));
    b.close();
    var result = transfer.await(SOON);
    assertEquals(64, result.outcomes().size());
    assertFalse(transfer.settled().await(SOON).quarantined());
    assertEquals(0, a.status().memory().drainingBytes());
  }

  @Test
  void aPeerThatClosesInMidTransferEndsEachRequestOnceAndAtOnce() throws InterruptedException {
    var requests = new ArrayList<Request>();
    for (int i = 0; i < 64; i++) {
      requests.add(Request.write(source, segment, remote.address()));
    }
    var transfer = a.submit(Batch.of(requests).within(Duration.ofMinutes(5)));
    b.close();
    // Most of it has ended by now: the peer stays as long as it is asked.
    var result = transfer.await(Duration.ofSeconds(3));
    assertEquals(64, result.outcomes().size());
    for (var outcome : result.outcomes()) {
      assertTrue(
          outcome instanceof Outcome.Completed
              || (outcome instanceof Outcome.Error(var failure)
                  && failure.code() == FailureCode.CLOSED),
          outcome.toString());
    }
    assertFalse(transfer.settled().await(Duration.ofSeconds(3)).quarantined());
    assertEquals(0, a.status().memory().drainingBytes());
  }
}

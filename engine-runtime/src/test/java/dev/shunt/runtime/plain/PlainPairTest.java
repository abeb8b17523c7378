package dev.shunt.runtime.plain;

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
import dev.shunt.runtime.engine.RuntimeFactory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two engines over loopback, of which one looks like a plain TENT peer. */
class PlainPairTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int SIZE = 8 << 20;

  private Engine a;
  private Engine plain;
  private MemorySegment source;
  private MemorySegment sink;
  private MemorySegment remote;
  private Segment segment;

  @BeforeEach
  void open() throws InterruptedException {
    a = engine(Map.of());
    plain = engine(Map.of("control.extension", false));
    source = a.arena().allocate(SIZE, 4096);
    sink = a.arena().allocate(SIZE, 4096);
    remote = plain.arena().allocate(SIZE, 4096);
    fill(source, 7);
    a.register(source, Access.LOCAL);
    a.register(sink, Access.LOCAL);
    plain.register(remote, Access.REMOTE_READ_WRITE);
    segment = a.openSegment(plain.name(), SOON);
  }

  @AfterEach
  void close() {
    a.close();
    plain.close();
  }

  private static Engine engine(Map<String, Object> values) {
    var builder = new RuntimeFactory().builder().set("transports.rdma.enable", false);
    values.forEach(builder::set);
    return builder.open();
  }

  private static void fill(MemorySegment memory, long seed) {
    var random = new SplittableRandom(seed);
    for (long i = 0; i < memory.byteSize(); i += 8) {
      memory.set(ValueLayout.JAVA_LONG, i, random.nextLong());
    }
  }

  private Outcome one(Request request) throws InterruptedException {
    return a.submit(Batch.of(request)).await(SOON).outcomes().getFirst();
  }

  @Test
  void whatIsWrittenIsThereAndIsReadBack() throws InterruptedException {
    assertEquals(0, segment.generation());
    var write = a.submit(Batch.of(Request.write(source, segment, remote.address())));
    assertTrue(write.await(SOON).orThrow().completed());
    assertEquals(-1, source.mismatch(remote));
    var read = a.submit(Batch.of(Request.read(sink, segment, remote.address())));
    assertEquals(SIZE, read.await(SOON).orThrow().bytes());
    assertEquals(-1, source.mismatch(sink));
  }

  @Test
  void allSizesArriveBothWays() throws InterruptedException {
    var sizes =
        new int[] {0, 1, 15, 16, 34, 56, 4095, 65_535, 65_536, 65_537, 1 << 20, (1 << 20) + 1};
    var writes = new ArrayList<Request>();
    var reads = new ArrayList<Request>();
    long at = 0;
    for (var size : sizes) {
      writes.add(Request.write(source.asSlice(at, size), segment, remote.address() + at));
      reads.add(Request.read(sink.asSlice(at, size), segment, remote.address() + at));
      at += size;
    }
    assertEquals(at, a.submit(Batch.of(writes)).await(SOON).orThrow().bytes());
    assertEquals(-1, source.asSlice(0, at).mismatch(remote.asSlice(0, at)));
    assertEquals(at, a.submit(Batch.of(reads)).await(SOON).orThrow().bytes());
    assertEquals(-1, source.asSlice(0, at).mismatch(sink.asSlice(0, at)));
  }

  /** They post on the lane's connections themselves while its thread is at rest. */
  @Test
  void threadsThatPostAtTheSameTimeGetTheirOwn() throws Exception {
    int share = SIZE / 4;
    var tasks = new ArrayList<Callable<Boolean>>();
    for (int thread = 0; thread < 4; thread++) {
      long from = (long) thread * share;
      var random = new SplittableRandom(thread);
      tasks.add(
          () -> {
            boolean same = true;
            for (int round = 0; round < 100; round++) {
              int length = random.nextInt(1, 100_000);
              long at = from + random.nextInt(share - length);
              var there = remote.address() + at;
              var write = Request.write(source.asSlice(at, length), segment, there);
              a.submit(Batch.of(write)).await(SOON).orThrow();
              var read = Request.read(sink.asSlice(at, length), segment, there);
              a.submit(Batch.of(read)).await(SOON).orThrow();
              same &= source.asSlice(at, length).mismatch(sink.asSlice(at, length)) == -1;
            }
            return same;
          });
    }
    try (var pool = Executors.newFixedThreadPool(tasks.size())) {
      for (var done : pool.invokeAll(tasks, SOON.toSeconds(), TimeUnit.SECONDS)) {
        assertTrue(done.get());
      }
    }
  }

  @Test
  void textThatReadsAsARefusalIsReadAllTheSame() throws InterruptedException {
    var text = "RecvData failed: target address not in registered buffer";
    assertEquals(56, text.length());
    MemorySegment.copy(text.getBytes(), 0, remote, ValueLayout.JAVA_BYTE, 64, text.length());
    var done = one(Request.read(sink.asSlice(0, 56), segment, remote.address() + 64));
    assertInstanceOf(Outcome.Completed.class, done);
    assertEquals(-1, sink.asSlice(0, 56).mismatch(remote.asSlice(64, 56)));
  }

  @Test
  void readsOfTheLengthOfARefusalOutsideTheBufferAreRefusedHere() throws InterruptedException {
    for (int length : new int[] {34, 56}) {
      var outcome =
          one(Request.read(sink.asSlice(0, length), segment, remote.address() + SIZE - length + 1));
      var failure = assertInstanceOf(Outcome.Error.class, outcome).failure();
      assertEquals(FailureCode.REJECTED, failure.code());
    }
  }

  @Test
  void notificationsArriveBothWays() throws InterruptedException {
    var sent = a.send(segment, new Notification("to", "plain"), SOON);
    assertEquals(new Delivery.Delivered(), sent.await(SOON));
    assertEquals("plain", plain.inbox().receive(SOON).orElseThrow().notification().message());
    var back = plain.openSegment(a.name(), SOON);
    plain.send(back, new Notification("from", "plain"), SOON).await(SOON);
    assertEquals("from", a.inbox().receive(SOON).orElseThrow().notification().name());
  }

  @Test
  void aBatchsNotificationComesAfterItsBytes() throws InterruptedException {
    var batch =
        Batch.of(Request.write(source.asSlice(0, 4096), segment, remote.address()))
            .thenNotify(new Notification("batch", "1"));
    a.submit(batch).await(SOON).orThrow();
    plain.inbox().receive(SOON).orElseThrow();
    assertEquals(-1, source.asSlice(0, 4096).mismatch(remote.asSlice(0, 4096)));
  }

  @Test
  void withoutTheFallbackAPlainPeerIsSentNoNotification() throws InterruptedException {
    try (var silent = engine(Map.of("notification.rpc-fallback", false))) {
      var handle = silent.openSegment(plain.name(), SOON);
      var refused =
          assertInstanceOf(
              Delivery.NotDelivered.class,
              silent.send(handle, new Notification("a", "b"), SOON).await(SOON));
      assertEquals(FailureCode.UNSUPPORTED, refused.failure().code());
    }
  }

  @Test
  void memoryThatIsRegisteredLaterIsUsableByTheSameHandle() throws InterruptedException {
    var first = one(Request.write(source.asSlice(0, 64), segment, remote.address()));
    assertInstanceOf(Outcome.Completed.class, first);
    var more = plain.arena().allocate(4096, 4096);
    plain.register(more, Access.REMOTE_READ_WRITE);
    await(() -> segment.buffers().size() == 2, "the handle tells of the new buffer");
    var later = one(Request.write(source.asSlice(0, 4096), segment, more.address()));
    assertInstanceOf(Outcome.Completed.class, later);
    assertEquals(-1, source.asSlice(0, 4096).mismatch(more));
  }

  @Test
  void memoryThatIsGoneIsRefusedBeforeAnythingIsSent() throws InterruptedException {
    var other = plain.arena().allocate(4096, 4096);
    var buffer = plain.register(other, Access.REMOTE_READ_WRITE);
    await(() -> segment.buffers().size() == 2, "the handle tells of the new buffer");
    assertTrue(buffer.unregister(SOON));
    await(() -> segment.buffers().size() == 1, "the handle tells that it is gone");
    var outcome = one(Request.write(source.asSlice(0, 64), segment, other.address()));
    assertInstanceOf(Outcome.Error.class, outcome);
  }

  @Test
  void aPlainPeerThatRestartsAtItsPlaceIsGoneOnWith() throws InterruptedException {
    assertInstanceOf(
        Outcome.Completed.class,
        one(Request.write(source.asSlice(0, 64), segment, remote.address())));
    var port = Integer.parseInt(plain.name().substring(plain.name().lastIndexOf(':') + 1));
    plain.close();
    plain = engine(Map.of("control.extension", false, "control.port", port));
    remote = plain.arena().allocate(SIZE, 4096);
    plain.register(remote, Access.REMOTE_READ_WRITE);
    var again = a.openSegment(plain.name(), SOON);
    var outcome = one(Request.write(source, again, remote.address()));
    assertInstanceOf(Outcome.Completed.class, outcome);
    assertEquals(-1, source.mismatch(remote));
    assertEquals(again.buffers(), segment.buffers(), "the old handle tells the same");
  }

  @Test
  void aPeerThatIsNotThereIsToldOfThenOpened() throws InterruptedException {
    var port = Integer.parseInt(plain.name().substring(plain.name().lastIndexOf(':') + 1));
    var name = plain.name();
    plain.close();
    var refused = assertThrows(ShuntException.class, () -> a.openSegment(name, SOON));
    assertEquals(FailureCode.UNREACHABLE, refused.code());
    plain = engine(Map.of("control.extension", false, "control.port", port));
    assertEquals(List.of(), openedSoon(name).buffers());
  }

  /** Who was missed is not called before a probe has found it. */
  private Segment openedSoon(String name) throws InterruptedException {
    var until = System.nanoTime() + SOON.toNanos();
    while (true) {
      try {
        return a.openSegment(name, SOON);
      } catch (ShuntException missed) {
        assertTrue(System.nanoTime() - until < 0, missed.getMessage());
        Thread.sleep(20);
      }
    }
  }

  @Test
  void aNodeThatBecomesAShuntNodeIsMetAsOneWhenItIsOpenedAgain() throws InterruptedException {
    var port = Integer.parseInt(plain.name().substring(plain.name().lastIndexOf(':') + 1));
    plain.close();
    plain = engine(Map.of("control.port", port));
    remote = plain.arena().allocate(SIZE, 4096);
    plain.register(remote, Access.REMOTE_READ_WRITE);
    var again = a.openSegment(plain.name(), SOON);
    assertEquals(plain.generation(), again.generation());
    assertInstanceOf(Outcome.Completed.class, one(Request.write(source, again, remote.address())));
    var old = one(Request.write(source, segment, remote.address()));
    assertEquals(
        FailureCode.STALE_GENERATION, assertInstanceOf(Outcome.Error.class, old).failure().code());
  }

  @Test
  void aShuntPeerWithoutStreamsIsReachedOverItsControlPlane() throws InterruptedException {
    try (var b = engine(Map.of("capabilities.\"tcp.stream\"", "off"))) {
      var memory = b.arena().allocate(SIZE, 4096);
      b.register(memory, Access.REMOTE_READ_WRITE);
      var readable = b.arena().allocate(4096, 4096);
      b.register(readable, Access.REMOTE_READ);
      var handle = a.openSegment(b.name(), SOON);
      assertEquals(b.generation(), handle.generation());
      assertInstanceOf(
          Outcome.Completed.class, one(Request.write(source, handle, memory.address())));
      assertEquals(-1, source.mismatch(memory));
      var denied = one(Request.write(source.asSlice(0, 8), handle, readable.address()));
      assertEquals(
          FailureCode.REJECTED, assertInstanceOf(Outcome.Error.class, denied).failure().code());
    }
  }

  private static void await(java.util.function.BooleanSupplier condition, String what)
      throws InterruptedException {
    long until = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - until < 0, what);
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }
}

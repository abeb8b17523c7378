package dev.shunt.runtime.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Delivery;
import dev.shunt.api.Engine;
import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.runtime.engine.RuntimeFactory;
import dev.shunt.runtime.plain.SoftTent.Ill;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What this engine makes of plain peers that misbehave, and of those that stand still. */
class PlainReactionTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int SIZE = 1 << 20;

  private Engine engine;
  private TentThread peer;
  private MemorySegment local;
  private Segment segment;

  @BeforeEach
  void open() throws InterruptedException {
    peer = new TentThread(SIZE);
    engine = engine(Map.of("failover.unfenced-grace", "50 ms"));
    local = engine.arena().allocate(SIZE, 4096);
    engine.register(local, Access.LOCAL);
    segment = engine.openSegment(peer.name(), SOON);
  }

  @AfterEach
  void close() {
    engine.close();
    peer.close();
  }

  private static Engine engine(Map<String, Object> values) {
    var builder =
        new RuntimeFactory()
            .builder()
            .set("transports.rdma.enable", false)
            .set("transports.tent.connections", 2)
            .set("transports.tent.slice-size", "64 KiB");
    values.forEach(builder::set);
    return builder.open();
  }

  private void fill(int value) {
    for (int i = 0; i < SIZE; i++) {
      local.set(ValueLayout.JAVA_BYTE, i, (byte) (value + 31 * i));
    }
  }

  private Outcome write(long length) throws InterruptedException {
    var request = Request.write(local.asSlice(0, length), segment, TentThread.BASE);
    return engine.submit(Batch.of(request)).await(SOON).outcomes().getFirst();
  }

  private Outcome read(long at, long length) throws InterruptedException {
    var request = Request.read(local.asSlice(0, length), segment, TentThread.BASE + at);
    return engine.submit(Batch.of(request)).await(SOON).outcomes().getFirst();
  }

  private static Failure failure(Outcome outcome) {
    return assertInstanceOf(Outcome.Error.class, outcome).failure();
  }

  private static void await(BooleanSupplier condition, String what) throws InterruptedException {
    long until = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - until < 0, what);
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Ill.class, mode = EnumSource.Mode.EXCLUDE, names = "SILENT")
  void aWriteThatFaresIllOnceIsDoneAnewAndTheOthersAreNotHarmed(Ill ill) throws Exception {
    fill(1);
    peer.tell(soft -> soft.ill(SoftTent.SEND, ill, 1));
    var done = write(300_000);
    assertInstanceOf(Outcome.Completed.class, done, () -> ill + ": " + done);
    assertEquals(-1, local.asSlice(0, 300_000).mismatch(peer.memory.asSlice(0, 300_000)));
  }

  @ParameterizedTest
  @EnumSource(value = Ill.class, mode = EnumSource.Mode.EXCLUDE, names = "SILENT")
  void aReadThatFaresIllOnceIsDoneAnew(Ill ill) throws Exception {
    for (int i = 0; i < SIZE; i++) {
      peer.memory.set(ValueLayout.JAVA_BYTE, i, (byte) (7 * i));
    }
    peer.tell(soft -> soft.ill(SoftTent.RECV, ill, 1));
    var done = read(0, 300_000);
    assertInstanceOf(Outcome.Completed.class, done, () -> ill + ": " + done);
    assertEquals(-1, local.asSlice(0, 300_000).mismatch(peer.memory.asSlice(0, 300_000)));
  }

  @ParameterizedTest
  @EnumSource(
      value = Ill.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SILENT", "LATE"})
  void aDescriptorThatFaresIllOnceCostsAConnectionAndNoMore(Ill ill) throws Exception {
    peer.tell(soft -> soft.ill(SoftTent.DESCRIBE, ill, 1));
    assertInstanceOf(Outcome.Completed.class, write(1000));
  }

  @Test
  void aPeerThatAlwaysLeavesFailsTheRequestWithItsHistory() throws Exception {
    peer.tell(soft -> soft.ill(SoftTent.SEND, Ill.HALF, Integer.MAX_VALUE));
    var failure = failure(write(64));
    assertEquals(FailureCode.CONNECTION, failure.code());
    assertTrue(failure.remoteEffect());
    assertEquals(9, failure.attempts().size());
    assertInstanceOf(Outcome.Completed.class, read(0, 64), "and nobody else pays");
  }

  @Test
  void aPeerThatAlwaysRefusesWhatItDescribesIsToldWithItsWords() throws Exception {
    peer.tell(soft -> soft.ill(SoftTent.SEND, Ill.REFUSED, Integer.MAX_VALUE));
    var failure = failure(write(64));
    assertEquals(FailureCode.REMOTE_RANGE, failure.code());
    assertTrue(failure.message().contains("of no reason at all"), failure.message());
  }

  @Test
  void aRefusalForNoReasonOfTheLengthThatWasAskedForIsNoDataEither() throws Exception {
    peer.tell(
        soft -> {
          soft.undecidable = true;
          soft.ill(SoftTent.RECV, Ill.REFUSED, 1);
        });
    assertInstanceOf(Outcome.Completed.class, read(0, 32));
    var text =
        new String(local.asSlice(0, 32).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    assertFalse(text.contains("of no reason at all"), text);
  }

  @Test
  void aRefusalOfTheLengthThatWasAskedForIsNoData() throws Exception {
    assertInstanceOf(Outcome.Completed.class, read(0, 56));
    // The handle and the connections still know the memory: only the peer knows that it is gone.
    peer.tell(soft -> soft.lends(false));
    var failure = failure(read(0, 56));
    assertEquals(FailureCode.REMOTE_RANGE, failure.code());
    assertTrue(failure.message().contains("by its descriptor of just now"), failure.message());
  }

  @Test
  void aRangeThatIsGoneFailsAloneAndTheDescriptorIsReadAgain() throws Exception {
    assertInstanceOf(Outcome.Completed.class, write(64));
    long connections = peer.ask(SoftTent::accepted);
    peer.tell(soft -> soft.lends(false));
    var failure = failure(write(64));
    assertEquals(FailureCode.REMOTE_RANGE, failure.code());
    assertFalse(failure.remoteEffect());
    await(() -> segment.buffers().isEmpty(), "the handle tells that it is gone");
    peer.tell(soft -> soft.lends(true));
    assertEquals(FailureCode.REJECTED, failure(write(64)).code(), "and that is told here");
    await(() -> !segment.buffers().isEmpty(), "which has the descriptor read again");
    assertInstanceOf(Outcome.Completed.class, write(64));
    assertTrue(peer.ask(SoftTent::accepted) <= connections + 2, "no connection was given up");
  }

  @Test
  void connectionsThatNothingIsAskedOnAreClosedAndTheNextRequestMakesNewOnes() throws Exception {
    int others = peer.ask(SoftTent::connected);
    try (var resting = engine(Map.of("transports.tent.idle-timeout", "100 ms"))) {
      var memory = resting.arena().allocate(64, 64);
      resting.register(memory, Access.LOCAL);
      var other = resting.openSegment(peer.name(), SOON);
      for (int round = 0; round < 3; round++) {
        long before = peer.ask(SoftTent::accepted);
        var request = Request.write(memory, other, TentThread.BASE);
        var outcome = resting.submit(Batch.of(request)).await(SOON).outcomes().getFirst();
        assertInstanceOf(Outcome.Completed.class, outcome);
        assertTrue(peer.ask(SoftTent::accepted) > before || round == 0, "round " + round);
        long until = System.nanoTime() + SOON.toNanos();
        // What is left is one of calls, which has a time of its own.
        while (peer.ask(SoftTent::connected) > others + 1) {
          assertTrue(System.nanoTime() - until < 0, "round " + round);
        }
      }
    }
  }

  @Test
  void aPeerInTheFormOfADebugBuildIsUnderstood() throws Exception {
    peer.tell(SoftTent::debugForm);
    fill(3);
    assertInstanceOf(Outcome.Completed.class, write(SIZE));
    assertEquals(-1, local.mismatch(peer.memory));
    assertInstanceOf(Outcome.Completed.class, read(0, SIZE));
    assertEquals(-1, local.mismatch(peer.memory));
  }

  @Test
  void aPeerWithMoreTransportsAndKeysIsReadAllTheSame() throws Exception {
    peer.tell(soft -> soft.transports("[0,7,99]"));
    peer.tell(soft -> soft.extraKey("\"later\":{\"a\":[1,2]},"));
    var again = engine.openSegment(peer.name(), SOON);
    assertEquals(1, again.buffers().size());
    assertInstanceOf(Outcome.Completed.class, write(64));
  }

  @Test
  void memoryThatIsNotForTcpIsNotReached() throws Exception {
    peer.tell(soft -> soft.transports("[3]"));
    assertEquals(0, engine.openSegment(peer.name(), SOON).buffers().size());
  }

  @Test
  void aPeerWithRdmaIsSentNoNotification() throws Exception {
    peer.tell(soft -> soft.transports("[1,7]"));
    var handle = engine.openSegment(peer.name(), SOON);
    var unknown =
        assertInstanceOf(
            Delivery.Unknown.class,
            engine.send(handle, new Notification("a", "b"), SOON).await(SOON));
    assertEquals(FailureCode.UNKNOWN_DELIVERY, unknown.failure().code());
    assertEquals(List.of(), peer.ask(soft -> List.copyOf(soft.notified())));
  }

  @Test
  void aNotificationWhoseAnswerIsLostIsNotSentTwice() throws Exception {
    peer.tell(soft -> soft.ill(SoftTent.NOTIFY, Ill.SERVED_THEN_CLOSED, 1));
    assertInstanceOf(
        Delivery.Unknown.class, engine.send(segment, new Notification("a", "b"), SOON).await(SOON));
    assertInstanceOf(
        Delivery.Delivered.class,
        engine.send(segment, new Notification("c", "d"), SOON).await(SOON));
    assertEquals(
        List.of("{\"msg\":\"b\",\"name\":\"a\"}", "{\"msg\":\"d\",\"name\":\"c\"}"),
        peer.ask(soft -> List.copyOf(soft.notified())));
  }

  @Test
  void nothingOfOursIsEverSentToAPlainPeer() throws Exception {
    write(64);
    engine.send(segment, new Notification("a", "b"), SOON).await(SOON);
    var asked = peer.ask(soft -> List.copyOf(soft.asked()));
    assertTrue(asked.stream().allMatch(function -> function <= 11), asked::toString);
    assertEquals(1, asked.getFirst());
    assertTrue(asked.contains(10), "it subscribes, as TENT does");
  }

  @Test
  void aLateWriteIsWaitedForAsLongAsTheGrace() throws Exception {
    try (var patient = engine(Map.of("failover.unfenced-grace", "600 ms"))) {
      var memory = patient.arena().allocate(64);
      memory.fill((byte) 5);
      patient.register(memory, Access.LOCAL);
      var handle = patient.openSegment(peer.name(), SOON);
      peer.tell(soft -> soft.lateness(() -> 300_000_000L));
      peer.tell(soft -> soft.ill(SoftTent.SEND, Ill.LATE, 1));
      var applied = new java.util.concurrent.atomic.AtomicInteger();
      peer.tell(soft -> soft.hook((offset, length) -> applied.incrementAndGet()));
      long begun = System.nanoTime();
      var transfer = patient.submit(Batch.of(Request.write(memory, handle, TentThread.BASE)));
      transfer.await(SOON).orThrow();
      assertTrue(System.nanoTime() - begun >= 600_000_000L, "the grace has passed");
      assertEquals(2, applied.get(), "the redo, and then the late one");
    }
  }

  @Test
  void whereUnfencedRedosAreToFailASentWriteEndsWithItsEffectUnknown() throws Exception {
    try (var strict = engine(Map.of("failover.unfenced", "fail"))) {
      var memory = strict.arena().allocate(64);
      strict.register(memory, Access.LOCAL);
      var handle = strict.openSegment(peer.name(), SOON);
      peer.tell(soft -> soft.ill(SoftTent.SEND, Ill.SERVED_THEN_CLOSED, 1));
      var transfer = strict.submit(Batch.of(Request.write(memory, handle, TentThread.BASE)));
      var failure = failure(transfer.await(SOON).outcomes().getFirst());
      assertEquals(FailureCode.UNKNOWN_EFFECT, failure.code());
      assertTrue(failure.remoteEffect());
    }
  }

  /** What a plain peer cannot promise: it applies what it has received whenever it runs again. */
  @Test
  void aPeerThatStandsStillAppliesWhatWasTimedOutWhenItRunsAgain() throws Exception {
    fill(9);
    assertInstanceOf(Outcome.Completed.class, write(64));
    fill(10);
    peer.freeze();
    var request = Request.write(local.asSlice(0, 64), segment, TentThread.BASE);
    var late = engine.submit(Batch.of(request).within(Duration.ofMillis(200)));
    var outcome = late.await(SOON).outcomes().getFirst();
    var timedOut = assertInstanceOf(Outcome.TimedOut.class, outcome);
    assertTrue(timedOut.failure().remoteEffect(), "the caller is told that it may come");
    peer.thaw();
    await(() -> local.asSlice(0, 64).mismatch(peer.memory.asSlice(0, 64)) == -1, "it came late");
    assertFalse(late.settled().await(SOON).quarantined());
  }

  @Test
  void aPeerThatIsKilledAndStartsAnewAtItsPlaceIsFoundAgain() throws Exception {
    fill(4);
    assertInstanceOf(Outcome.Completed.class, write(SIZE));
    int port = peer.port();
    peer.close();
    var request = Request.write(local, segment, TentThread.BASE);
    var meanwhile = engine.submit(Batch.of(request).within(SOON));
    peer = new TentThread(SIZE, port);
    assertInstanceOf(Outcome.Completed.class, meanwhile.await(SOON).outcomes().getFirst());
    assertEquals(-1, local.mismatch(peer.memory));
  }

  @Test
  void aPeerThatStartsAnewWithLessMemoryIsNotSentWhatItHasNot() throws Exception {
    assertInstanceOf(Outcome.Completed.class, write(SIZE));
    int port = peer.port();
    peer.close();
    peer = new TentThread(4096, port);
    var failure = failure(write(SIZE));
    assertEquals(FailureCode.REMOTE_RANGE, failure.code());
    var sent = peer.ask(soft -> soft.asked().stream().filter(one -> one == SoftTent.SEND).count());
    assertEquals(0, sent, "nothing that was known before a connection is used on it");
    assertInstanceOf(Outcome.Completed.class, write(4096));
  }
}

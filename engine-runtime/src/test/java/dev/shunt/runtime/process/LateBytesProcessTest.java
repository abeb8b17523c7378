package dev.shunt.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.Transfer;
import dev.shunt.runtime.engine.EngineProbe;
import dev.shunt.runtime.engine.ShuntEngine;
import dev.shunt.runtime.transfer.core.Counter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Bytes that a process has not read yet, in sockets of a real kernel: whatever completed before
 * they are read stays.
 */
class LateBytesProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final int LENGTH = 32 << 10;
  private static final List<String> TWO_RAILS =
      List.of(
          "transports.tcp.rails=[\"127.0.0.1\",\"127.0.0.2\"]",
          "control.bind=[\"127.0.0.1\",\"127.0.0.2\"]");

  private final List<AutoCloseable> rest = new ArrayList<>();
  private NodeProcess receiver;
  private Engine sender;
  private MemorySegment memory;
  private Segment peer;

  @AfterEach
  void close() throws Exception {
    for (var each : rest.reversed()) {
      each.close();
    }
  }

  private void meet(boolean fences) throws IOException, InterruptedException {
    receiver = NodeProcess.start(TWO_RAILS);
    rest.add(receiver);
    var settings = new ArrayList<>(TWO_RAILS);
    settings.addAll(
        List.of("transports.tcp.stall-limit=300ms", "transports.tcp.rail-cooldown=100ms"));
    sender = Settings.builder(settings).transport(new TakenTcp(fences, _ -> true)).open();
    rest.add(sender);
    memory = sender.arena().allocate(LENGTH, 4096);
    sender.register(memory, Access.LOCAL);
    peer = sender.openSegment(receiver.name, PATIENCE);
    for (int i = 0; i < 8; i++) {
      assertTrue(completed(write(i, PATIENCE)));
    }
  }

  private Transfer write(int seed, Duration given) {
    LoneNode.fill(memory, seed);
    var there = peer.buffers().getFirst().address();
    return sender.submit(Batch.of(Request.write(memory, peer, there)).within(given));
  }

  private static boolean completed(Transfer transfer) throws InterruptedException {
    return transfer.await(PATIENCE).completed();
  }

  private long count(Counter counter) {
    return new EngineProbe((ShuntEngine) sender).count(counter);
  }

  private String there() throws IOException, InterruptedException {
    return receiver.ask("sum " + LENGTH);
  }

  /** A write that stays in the socket of a rail, is redone on the other, and is written over. */
  private String leftInASocketAndWrittenOver() throws IOException, InterruptedException {
    assertEquals("ok", receiver.ask("hold 0"));
    var redone = count(Counter.SLICES_REDONE);
    int seed = 100;
    do {
      assertTrue(seed < 200, "the rail that reads nothing carries nothing either");
      assertTrue(completed(write(seed++, PATIENCE)));
    } while (count(Counter.SLICES_REDONE) == redone);
    assertEquals(LoneNode.checksum(memory), there(), "what completed is not there");
    assertTrue(completed(write(seed, PATIENCE)));
    var newest = LoneNode.checksum(memory);
    assertEquals(newest, there());
    assertEquals("ok", receiver.ask("read 0"));
    return newest;
  }

  /** Whether memory there changes within a while, now that nobody writes. */
  private boolean changes(String from, Duration within) throws IOException, InterruptedException {
    var end = System.nanoTime() + within.toNanos();
    while (System.nanoTime() - end < 0) {
      if (!there().equals(from)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void whatALaneReadsLateNeverLandsOverNewerData() throws Exception {
    meet(true);
    for (int round = 0; round < 3; round++) {
      var newest = leftInASocketAndWrittenOver();
      assertFalse(changes(newest, Duration.ofMillis(500)), "late bytes landed over newer data");
    }
    assertTrue(count(Counter.FENCES) > 0);
    assertTrue(completed(write(1000, PATIENCE)));
    assertEquals(LoneNode.checksum(memory), there());
  }

  /** The scene is a real one: a sender that only says that it fences sees the old bytes land. */
  @Test
  void withoutTheFenceItLandsOverNewerData() throws Exception {
    meet(false);
    for (int round = 0; round < 5; round++) {
      if (changes(leftInASocketAndWrittenOver(), Duration.ofSeconds(1))) {
        return;
      }
    }
    throw new AssertionError("late bytes land never: the other test shows nothing");
  }

  @Test
  void nothingCompletesWhileTheWholeReceiverStandsStill() throws Exception {
    meet(true);
    var before = there();
    receiver.freeze();
    var old = write(300, Duration.ofMillis(2500));
    var end = System.nanoTime() + 2_000_000_000L;
    while (System.nanoTime() - end < 0) {
      assertFalse(
          old.done().poll().map(Transfer.Result::completed).orElse(false),
          "it completed while nobody was there to apply it");
      Thread.sleep(5);
    }
    var outcome = old.await(PATIENCE).outcomes().getFirst();
    assertFalse(outcome instanceof Outcome.Completed, outcome.toString());
    receiver.thaw();
    assertFalse(old.settled().await(PATIENCE).quarantined());
    var landed = there();
    assertTrue(landed.equals(before) || landed.equals(LoneNode.checksum(memory)), "torn");
    assertTrue(completed(write(301, PATIENCE)));
    var newest = LoneNode.checksum(memory);
    assertEquals(newest, there());
    assertFalse(changes(newest, Duration.ofMillis(500)), "the old one landed over newer data");
  }

  @Test
  void aWriteThatIsGivenTheTimeCompletesAfterTheReceiverGoesOn() throws Exception {
    meet(true);
    receiver.freeze();
    var patient = write(400, Duration.ofSeconds(20));
    var end = System.nanoTime() + 1_500_000_000L;
    while (System.nanoTime() - end < 0) {
      assertFalse(patient.done().isDone(), () -> "it ended: " + patient.done().poll());
      Thread.sleep(5);
    }
    receiver.thaw();
    assertTrue(completed(patient));
    assertEquals(LoneNode.checksum(memory), there());
  }
}

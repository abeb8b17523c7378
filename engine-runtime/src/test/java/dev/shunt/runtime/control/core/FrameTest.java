package dev.shunt.runtime.control.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.sim.Dice;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FrameTest {
  private static final int MOST = 1 << 20;
  private static final ServerLimits LIMITS =
      new ServerLimits(MOST, 16, 1 << 20, 5_000_000_000L, 10_000_000_000L);

  /** What was fed last asked for: an exchange that is answered has let go of it. */
  private final List<byte[]> requests = new ArrayList<>();

  /** Feeds bytes as a stream would bring them, in pieces of any size. */
  private List<Exchange> feed(ServerConnection connection, byte[] bytes, Dice dice) {
    requests.clear();
    var taken = new ArrayList<Exchange>();
    var memory = MemorySegment.ofArray(bytes);
    int at = 0;
    long wanted;
    while (at < bytes.length && (wanted = connection.wants()) > 0) {
      int count = (int) dice.between(1, Math.min(wanted, bytes.length - at));
      connection.received(memory, at, count, 0);
      at += count;
      var exchange = connection.take();
      if (exchange != null) {
        taken.add(exchange);
        requests.add(exchange.request());
        connection.answer(exchange, exchange.request(), 0);
        connection.outbox().sent(connection.outbox().waiting());
      }
    }
    return taken;
  }

  private static byte[] request(int sequence, int function, byte[] attachment) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(Frames.request(sequence, function, attachment.length));
    bytes.writeBytes(attachment);
    return bytes.toByteArray();
  }

  @Test
  void whatOneEndWritesTheOtherReads() {
    var dice = new Dice(1);
    for (int i = 0; i < 2000; i++) {
      var attachment = new byte[(int) dice.below(20_000)];
      for (int b = 0; b < attachment.length; b++) {
        attachment[b] = (byte) dice.next();
      }
      var connection =
          new ServerConnection(LIMITS, Optional.empty(), new HeapBudget(1 << 30), "a place");
      var taken = feed(connection, request(i, 7 * i, attachment), dice);
      assertEquals(1, taken.size());
      assertEquals(7 * i, taken.getFirst().function());
      assertArrayEquals(attachment, requests.getFirst());
      assertTrue(connection.idle());
    }
  }

  @Test
  void mutatedRequestsAreServedOrRefusedAndNothingElse() {
    long seed = 5;
    var dice = new Dice(seed);
    int broken = 0;
    for (int i = 0; i < 200_000; i++) {
      var frame = request(i, 6, "{\"name\":\"n\",\"msg\":\"m\"}".getBytes(UTF_8));
      var connection =
          new ServerConnection(LIMITS, Optional.empty(), new HeapBudget(1 << 30), "a place");
      feed(connection, Mutations.of(frame, dice), dice);
      connection.ended();
      broken += connection.failure().isEmpty() ? 0 : 1;
    }
    assertTrue(broken > 20_000 && broken < 180_000, "seed " + seed + ": " + broken);
  }

  @Test
  void mutatedRepliesAreTakenOrRefusedAndNothingElse() {
    long seed = 6;
    var dice = new Dice(seed);
    int taken = 0;
    for (int i = 0; i < 200_000; i++) {
      var connection = new ClientConnection(MOST);
      connection.ask(6, new byte[0]);
      connection.outbox().sent(connection.outbox().waiting());
      var bytes = new ByteArrayOutputStream();
      bytes.writeBytes(i % 3 == 0 ? Frames.error(10, 0, "a text") : Frames.reply(0, 5));
      bytes.writeBytes(i % 3 == 0 ? new byte[0] : "hello".getBytes(UTF_8));
      var damaged = Mutations.of(bytes.toByteArray(), dice);
      var memory = MemorySegment.ofArray(damaged);
      int at = 0;
      int wanted;
      while (at < damaged.length
          && connection.failure().isEmpty()
          && (wanted = connection.wants()) > 0) {
        int count = Math.min(wanted, damaged.length - at);
        connection.received(memory, at, count);
        at += count;
        if (connection.take() != null) {
          taken++;
          break;
        }
      }
    }
    assertTrue(taken > 5_000 && taken < 195_000, "seed " + seed + ": " + taken);
  }

  @Test
  void anAnnouncedLengthCostsNothingBeforeItsBytesCome() {
    var part = new FramePart();
    part.begin(1 << 30, 1 << 30);
    assertTrue(part.bytes().length <= 4096, "" + part.bytes().length);
    var piece = MemorySegment.ofArray(new byte[1000]);
    for (int i = 1; i <= 100; i++) {
      part.accept(piece, 0, 1000);
      assertTrue(part.bytes().length <= Math.max(4096, 2000 * i), i + "000 came");
    }
    part.begin(1 << 30, 16);
    part.accept(piece, 0, 1000);
    assertEquals(16, part.bytes().length);
  }

  @Test
  void anAnswerThatWaitsForItsTurnIsNotReplaced() {
    var connection =
        new ServerConnection(LIMITS, Optional.empty(), new HeapBudget(1 << 30), "a place");
    var taken = new ArrayList<Exchange>();
    for (int i = 0; i < 2; i++) {
      var bytes = request(i, 1, new byte[0]);
      for (int at = 0; at < bytes.length; ) {
        int count = (int) connection.wants();
        connection.received(MemorySegment.ofArray(bytes), at, count, 0);
        at += count;
      }
      taken.add(connection.take());
    }
    assertTrue(connection.answer(taken.get(1), new byte[] {1}, 0));
    assertFalse(connection.answer(taken.get(1), new byte[] {1, 2, 3}, 0));
    assertEquals(0, connection.outbox().waiting());
    assertTrue(connection.answer(taken.get(0), new byte[0], 0));
    assertEquals(20 + 21, connection.outbox().waiting());
  }

  @Test
  void aPartThatGrowsKeepsItsBytes() {
    var dice = new Dice(7);
    var attachment = new byte[MOST];
    for (int i = 0; i < attachment.length; i++) {
      attachment[i] = (byte) (i * 7 + i / 256);
    }
    var taken =
        feed(
            new ServerConnection(LIMITS, Optional.empty(), new HeapBudget(1 << 30), "a place"),
            request(0, 1, attachment),
            dice);
    assertArrayEquals(attachment, requests.getFirst());
  }

  @Test
  void textsOfAllLengthsComeBack() {
    for (int length : List.of(0, 1, 255, 256, 300, 2048, 65535)) {
      var text = "t".repeat(length);
      var body = StructPack.text(text);
      assertEquals(text, StructPack.text(body, body.length).orElseThrow());
    }
    assertTrue(
        StructPack.text(new byte[] {0x76, (byte) 0xfa, (byte) 0xcf, (byte) 0x9d, 9}, 5).isEmpty());
  }

  @Test
  void theBytesThatWaitGoOutInOrderInAnyPieces() {
    var dice = new Dice(8);
    for (int round = 0; round < 500; round++) {
      var outbox = new Outbox();
      var all = new ByteArrayOutputStream();
      var got = new ByteArrayOutputStream();
      var staging = MemorySegment.ofArray(new byte[64]);
      for (int i = 0; i < 40; i++) {
        var piece = new byte[(int) dice.below(50)];
        java.util.Arrays.fill(piece, (byte) i);
        outbox.add(piece);
        all.writeBytes(piece);
        int copied = outbox.copy(staging);
        int sent = copied == 0 ? 0 : (int) dice.below(copied + 1);
        got.write((byte[]) staging.heapBase().orElseThrow(), 0, sent);
        outbox.sent(sent);
      }
      while (outbox.waiting() > 0) {
        int copied = outbox.copy(staging);
        got.write((byte[]) staging.heapBase().orElseThrow(), 0, copied);
        outbox.sent(copied);
      }
      assertArrayEquals(all.toByteArray(), got.toByteArray());
      assertEquals(all.size(), outbox.sent());
    }
  }

  @Test
  void aCodeOfOursTravelsInATextAndATextOfTentsIsLeftAlone() {
    for (var code : dev.shunt.api.FailureCode.values()) {
      assertEquals(code, RpcError.code(10, RpcError.text(code, "why: so")));
    }
    assertEquals(
        dev.shunt.api.FailureCode.PROTOCOL, RpcError.code(10, "NOT_READY: transport not ready"));
  }

  @Test
  void aReaderOfAByteAtATimeBuysNoTime() {
    var connection =
        new ServerConnection(LIMITS, Optional.empty(), new HeapBudget(1 << 30), "a place");
    var bytes = request(0, 1, new byte[0]);
    for (int at = 0; at < bytes.length; ) {
      int count = (int) connection.wants();
      connection.received(MemorySegment.ofArray(bytes), at, count, 0);
      at += count;
    }
    connection.answer(connection.take(), new byte[MOST], 0);
    for (long second = 1; second < 5; second++) {
      connection.sent(1, second * 1_000_000_000L);
      assertFalse(connection.expire(second * 1_000_000_000L));
    }
    assertEquals(5_000_000_000L, connection.deadline());
    connection.sent(1 << 16, 4_500_000_000L);
    assertFalse(connection.expire(5_000_000_000L), "a good piece does");
    assertTrue(connection.expire(9_500_000_000L));
  }

  @Test
  void whatWasAskedBeforeTheStreamBrokeOffIsNotWaitedForWithoutEnd() {
    var connection =
        new ServerConnection(LIMITS, Optional.empty(), new HeapBudget(1 << 30), "a place");
    var answered = asked(connection, 1);
    connection.answer(answered, new byte[MOST / 2], 0);
    var open = asked(connection, 2);
    connection.received(MemorySegment.ofArray(request(0, 1, new byte[0])), 0, 3, 0);
    connection.ended();
    assertFalse(connection.answer(open, new byte[0], 0));
    connection.sent(1 << 16, 4_900_000_000L);
    connection.sent(1 << 16, 9_500_000_000L);
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> assertFalse(connection.expire(11_000_000_000L), "it read 1.5 s ago"));
    assertTrue(connection.expire(14_500_000_000L));
  }

  private static Exchange asked(ServerConnection connection, int sequence) {
    var bytes = request(sequence, 1, new byte[0]);
    for (int at = 0; at < bytes.length; ) {
      int count = (int) connection.wants();
      connection.received(MemorySegment.ofArray(bytes), at, count, 0);
      at += count;
    }
    return connection.take();
  }
}

package dev.shunt.transport.nof.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueTest {
  private static final long SECOND = QueueProbe.SECOND;

  private static byte[] bytes(int length, int value) {
    var bytes = new byte[length];
    java.util.Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static Fault end() {
    return new Fault(Fault.Blame.NEUTRAL, FailureCode.CLOSED, Fault.Effect.NONE, "over");
  }

  @Test
  void aReadEndsByItsLastDataOrByACompletion() {
    var probe = QueueProbe.io(8, 0);
    var memory = probe.arena.allocate(4096);
    probe.post("flag", false, memory, 0, 1024);
    int id = QueueProbe.id(probe.out());
    probe.feed(QueueProbe.c2h(0, id, 0, bytes(512, 1)));
    probe.feed(QueueProbe.c2h(Pdu.LAST | Pdu.SUCCESS, id, 512, bytes(512, 2)));
    probe.post("capsule", false, memory, 1024, 1024);
    id = QueueProbe.id(probe.out());
    probe.feed(QueueProbe.c2h(Pdu.LAST, id, 0, bytes(1024, 3)));
    assertEquals(List.of("live 7", "completed flag 0"), probe.events);
    probe.feed(QueueProbe.completion(id, 0, 0));
    assertEquals(List.of("live 7", "completed flag 0", "completed capsule 0"), probe.events);
    assertEquals(1, memory.get(ValueLayout.JAVA_BYTE, 511));
    assertEquals(2, memory.get(ValueLayout.JAVA_BYTE, 512));
    assertEquals(3, memory.get(ValueLayout.JAVA_BYTE, 2047));
    assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, 2048));
  }

  @Test
  void everyCutOfTheStreamGivesTheSame() {
    for (int piece = 1; piece < 200; piece++) {
      var probe = new QueueProbe(QueueProbe.setup(1, 8, 0, true));
      probe.begin(0, 1, 8192);
      var memory = probe.arena.allocate(8192);
      probe.post("r", false, memory, 0, 8192);
      int id = QueueProbe.id(probe.out());
      var pdu = QueueProbe.c2h(0, id, 0, bytes(8192, 9));
      var whole = new java.io.ByteArrayOutputStream();
      whole.writeBytes(headed(pdu));
      whole.writeBytes(QueueProbe.withDigest(QueueProbe.completion(id, 0, 0), true).array());
      probe.feed(whole.toByteArray(), piece);
      assertEquals(List.of("live 7", "completed r 0"), probe.events, "pieces of " + piece);
      assertArrayEquals(bytes(8192, 9), memory.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  /** A data PDU with a header digest between header and data. */
  private static byte[] headed(java.nio.ByteBuffer plain) {
    int data = plain.limit() - 24;
    var pdu = QueueProbe.pdu(7, 1 | plain.get(1), 24, 28 + data).put(3, (byte) 28);
    pdu.put(8, plain.array(), 8, 16);
    var crc = new java.util.zip.CRC32C();
    crc.update(pdu.array(), 0, 24);
    pdu.putInt(24, (int) crc.getValue()).put(28, plain.array(), 24, data);
    return pdu.array();
  }

  @Test
  void completionsComeInAnyOrder() {
    var probe = QueueProbe.io(4, 4096);
    var memory = probe.arena.allocate(4096);
    var ids = new int[3];
    for (int i = 0; i < 3; i++) {
      probe.post("w" + i, true, memory, 0, 512);
      ids[i] = QueueProbe.id(probe.out());
    }
    assertEquals(0, probe.queue.room());
    for (int i : new int[] {2, 0, 1}) {
      probe.feed(QueueProbe.completion(ids[i], i, 0));
    }
    assertEquals(
        List.of("live 7", "completed w2 2", "completed w0 0", "completed w1 1"), probe.events);
    assertEquals(3, probe.queue.room());
  }

  @Test
  void aCommandMayBePostedFromAReport() {
    var probe = QueueProbe.io(2, 4096);
    var memory = probe.arena.allocate(4096);
    probe.onEvent =
        () -> {
          if (probe.queue.room() > 0 && probe.events.size() < 5) {
            probe.post("next" + probe.events.size(), true, memory, 0, 512);
          }
        };
    probe.post("first", true, memory, 0, 512);
    for (int i = 0; i < 4; i++) {
      probe.feed(QueueProbe.completion(QueueProbe.id(probe.out()), 0, 0));
    }
    assertEquals(5, probe.events.size(), probe.events::toString);
  }

  @Test
  void aCompletionOfAnEarlierUseOfASlotIsNotTakenForThisOne() {
    var probe = QueueProbe.io(2, 4096);
    var memory = probe.arena.allocate(512);
    probe.post("old", true, memory, 0, 512);
    int old = QueueProbe.id(probe.out());
    probe.feed(QueueProbe.completion(old, 0, 0));
    probe.post("new", true, memory, 0, 512);
    probe.out();
    probe.feed(QueueProbe.completion(old, 0, 0));
    assertEquals(
        List.of("live 7", "completed old 0", "closing", "aborted new POSSIBLE", "over PROTOCOL"),
        probe.events);
  }

  @Test
  void aWriteThatNobodyHandedToTheStreamHasNoEffect() {
    var probe = QueueProbe.io(8, 4096);
    var memory = probe.arena.allocate(65536);
    probe.post("sent", true, memory, 0, 512);
    probe.post("read", false, memory, 0, 512);
    probe.out();
    probe.post("half", true, memory, 0, 512);
    probe.post("unsent", true, memory, 0, 512);
    probe.out(73);
    probe.queue.end(end(), probe.now);
    assertEquals(
        List.of(
            "live 7",
            "closing",
            "aborted sent POSSIBLE",
            "aborted read NONE",
            "aborted half POSSIBLE",
            "aborted unsent NONE",
            "over CLOSED"),
        probe.events);
  }

  @Test
  void aWriteWhoseDataWereNotAskedForHasNoEffect() {
    var probe = QueueProbe.io(8, 4096);
    var memory = probe.arena.allocate(65536);
    probe.post("waits", true, memory, 0, 65536);
    probe.out();
    probe.post("asked", true, memory, 0, 65536);
    int id = QueueProbe.id(probe.out());
    probe.feed(QueueProbe.r2t(id, 1, 0, 65536));
    probe.out(24);
    probe.post("data", true, memory, 0, 65536);
    // The header of the first piece is out, of its data nothing.
    probe.queue.end(end(), probe.now);
    assertEquals(
        List.of(
            "live 7",
            "closing",
            "aborted waits NONE",
            "aborted asked NONE",
            "aborted data NONE",
            "over CLOSED"),
        probe.events);
  }

  @Test
  void aWriteOfWhichOneByteOfDataIsOutMayHaveAnEffect() {
    var probe = QueueProbe.io(8, 4096);
    var memory = probe.arena.allocate(65536);
    probe.post("asked", true, memory, 0, 65536);
    int id = QueueProbe.id(probe.out());
    probe.feed(QueueProbe.r2t(id, 1, 0, 65536));
    probe.out(25);
    probe.queue.end(end(), probe.now);
    assertEquals(
        List.of("live 7", "closing", "aborted asked POSSIBLE", "over CLOSED"), probe.events);
  }

  @Test
  void aRefusedWriteIsReportedOnlyWhenItsBytesAreOut() {
    var probe = QueueProbe.io(8, 4096);
    var memory = probe.arena.allocate(4 << 20);
    probe.post("w", true, memory, 0, 4 << 20);
    int id = QueueProbe.id(probe.out());
    probe.feed(QueueProbe.r2t(id, 1, 0, 4 << 20));
    probe.out(100);
    probe.feed(QueueProbe.completion(id, 0x80, 0));
    assertEquals(List.of("live 7"), probe.events);
    var rest = probe.out();
    assertEquals(List.of("live 7", "completed w 80"), probe.events);
    // What stood in the ring is finished, the pieces that did not are not sent.
    assertTrue(rest.length < 4 << 20, rest.length + " bytes");
    assertEquals(0, (rest.length + 100) % (8192 + 24));
    probe.post("next", true, memory, 0, 512);
    assertEquals(72 + 512, probe.out().length);
  }

  @Test
  void aTargetMayAskInSeveralParts() {
    var probe = QueueProbe.io(8, 0);
    var memory = probe.arena.allocate(16384);
    probe.post("w", true, memory, 0, 16384);
    int id = QueueProbe.id(probe.out());
    probe.feed(QueueProbe.r2t(id, 1, 0, 4096));
    assertEquals(24 + 4096, probe.out().length);
    probe.feed(QueueProbe.r2t(id, 2, 4096, 12288));
    assertEquals(24 + 8192 + 24 + 4096, probe.out().length);
    probe.feed(QueueProbe.completion(id, 0, 0));
    assertEquals(List.of("live 7", "completed w 0"), probe.events);
  }

  @Test
  void aTargetThatAsksForAuthenticationIsNotSpoken() {
    var probe = new QueueProbe(QueueProbe.setup(0, 8, 0, false));
    probe.queue.begin(probe.now);
    probe.queue.open(probe.now);
    probe.out();
    probe.feed(QueueProbe.icResp(0, 0, 8192));
    probe.feed(QueueProbe.completion(QueueProbe.id(probe.out()), 0, 0x10001));
    assertEquals(List.of("closing", "over UNSUPPORTED"), probe.events);
  }

  @Test
  void aWrongDataDigestFailsItsCommandAndNoOther() {
    var probe = new QueueProbe(QueueProbe.setup(1, 8, 0, true));
    probe.begin(0, 2, 8192);
    var memory = probe.arena.allocate(4096);
    probe.post("bad", false, memory, 0, 512);
    int id = QueueProbe.id(probe.out());
    probe.feed(digested(id, 512, 1));
    probe.post("good", false, memory, 0, 512);
    id = QueueProbe.id(probe.out());
    probe.feed(digested(id, 512, 0));
    assertEquals(List.of("live 7", "completed bad 10000", "completed good 0"), probe.events);
    assertFalse(NvmeStatus.good(NvmeStatus.BAD_DATA_DIGEST));
  }

  private static java.nio.ByteBuffer digested(int id, int length, int spoil) {
    var pdu = QueueProbe.pdu(7, 2 | Pdu.LAST | Pdu.SUCCESS, 24, 28 + length).put(3, (byte) 24);
    pdu.putShort(8, (short) id).putInt(16, length);
    var crc = new java.util.zip.CRC32C();
    crc.update(pdu.array(), 24, length);
    return pdu.putInt(24 + length, (int) crc.getValue() ^ spoil);
  }

  @Test
  void everyPhaseHasItsDeadline() {
    var probe = new QueueProbe(QueueProbe.setup(1, 8, 0, false));
    probe.queue.begin(probe.now);
    assertEquals(probe.now + SECOND, probe.queue.nextDeadline());
    probe.queue.tick(probe.now + SECOND - 1);
    assertFalse(probe.queue.isOver());
    probe.queue.tick(probe.now + SECOND);
    assertEquals(List.of("closing", "over UNREACHABLE"), probe.events);

    var greeted = new QueueProbe(QueueProbe.setup(1, 8, 0, false));
    greeted.queue.begin(greeted.now);
    greeted.queue.open(greeted.now + SECOND / 2);
    greeted.out();
    greeted.feed(QueueProbe.icResp(0, 0, 8192));
    greeted.queue.tick(greeted.now + SECOND);
    assertEquals(List.of("closing", "over UNREACHABLE"), greeted.events);

    var live = QueueProbe.io(8, 0);
    assertEquals(Long.MAX_VALUE, live.queue.nextDeadline());
    live.post("r", false, live.arena.allocate(512), 0, 512);
    assertEquals(live.now + 5 * SECOND, live.queue.nextDeadline());
    live.queue.tick(live.now + 5 * SECOND);
    assertEquals(List.of("live 7", "closing", "aborted r NONE", "over UNREACHABLE"), live.events);
  }

  @Test
  void nothingComesAfterTheEnd() {
    var probe = QueueProbe.io(8, 4096);
    var memory = probe.arena.allocate(4096);
    probe.post("w", true, memory, 0, 512);
    int id = QueueProbe.id(probe.out());
    probe.queue.end(end(), probe.now);
    int events = probe.events.size();
    probe.queue.received(0, probe.now);
    probe.feed(QueueProbe.completion(id, 0, 0));
    probe.queue.tick(Long.MAX_VALUE - 1);
    probe.queue.end(end(), probe.now);
    assertEquals(events, probe.events.size());
    assertEquals(0, probe.queue.room());
    assertEquals(0, probe.out().length);
  }

  @Test
  void aDeepQueueOfWritesFitsWhateverTheStreamTakes() {
    var random = new java.util.SplittableRandom(5);
    var probe = QueueProbe.io(256, 8192);
    var memory = probe.arena.allocate(1 << 20);
    int posted = 0;
    var stream = new java.io.ByteArrayOutputStream();
    while (posted < 3000 || probe.queue.busy() > 0) {
      while (posted < 3000 && probe.queue.room() > 0) {
        long length = 512L * (1 + random.nextInt(random.nextBoolean() ? 4 : 32));
        probe.post("w" + posted++, true, memory, 0, length);
      }
      stream.writeBytes(probe.out(1 + random.nextInt(20000)));
      consume(probe, stream);
    }
    assertEquals(3001, probe.events.size());
  }

  /** Answers each whole PDU as a target does. */
  private static void consume(QueueProbe probe, java.io.ByteArrayOutputStream stream) {
    var bytes = java.nio.ByteBuffer.wrap(stream.toByteArray());
    bytes.order(java.nio.ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (bytes.limit() - at >= 8 && bytes.limit() - at >= bytes.getInt(at + 4)) {
      int length = bytes.getInt(at + 4);
      boolean command = bytes.get(at) == 4;
      int id = bytes.getShort(at + (command ? 10 : 8)) & 0xffff;
      if (!command || length > 72) {
        boolean last = command || (bytes.get(at + 1) & Pdu.LAST) != 0;
        if (last) {
          probe.feed(QueueProbe.completion(id, 0, 0));
        }
      } else {
        probe.feed(QueueProbe.r2t(id, 1, 0, bytes.getInt(at + 40)));
      }
      at += length;
    }
    stream.reset();
    stream.write(bytes.array(), at, bytes.limit() - at);
  }
}

package dev.shunt.transport.nof.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a target must not do, and what it hears. */
class ProtocolErrorTest {
  private static byte[] bytes(int length, int value) {
    var bytes = new byte[length];
    java.util.Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  /** What a target must not do, and the reason that it is told. */
  private static void violation(int fes, String post, java.nio.ByteBuffer... pdus) {
    var probe = QueueProbe.io(8, 0);
    var memory = probe.arena.allocate(16384);
    if (!post.isEmpty()) {
      probe.post("c", post.equals("write"), memory, 0, 8192);
      int id = QueueProbe.id(probe.out());
      for (var pdu : pdus) {
        int at = pdu.get(0) == 5 ? 20 : 8;
        if (pdu.getShort(at) == 0x7777) {
          pdu.putShort(at, (short) id);
        }
      }
    }
    for (var pdu : pdus) {
      probe.feed(pdu);
      probe.out();
    }
    assertTrue(probe.queue.isOver(), "still alive");
    assertEquals(2, probe.lastWords[0], "an H2CTermReq");
    assertEquals(fes, probe.lastWords[8], () -> "the reason; " + probe.faults);
    assertTrue(probe.lastWords.length <= 152);
    assertEquals(Fault.Blame.REMOTE, probe.faults.getFirst().blame());
    assertEquals(FailureCode.PROTOCOL, probe.faults.getFirst().code());
  }

  @Test
  void whateverBreaksTheProtocolEndsTheConnectionWithTheReason() {
    violation(1, "", QueueProbe.pdu(0x42, 0, 24, 24));
    violation(1, "", QueueProbe.pdu(4, 0, 72, 72));
    violation(1, "", QueueProbe.pdu(5, 0, 72, 24));
    violation(1, "", QueueProbe.pdu(5, 0, 24, 25));
    violation(1, "", QueueProbe.pdu(5, 0, 24, 24).putInt(4, 0x7fffffff));
    violation(1, "", QueueProbe.pdu(5, 0, 24, 24).putInt(4, -1));
    violation(1, "", QueueProbe.pdu(5, 1, 24, 28));
    violation(1, "", QueueProbe.pdu(7, 0, 24, 24).put(3, (byte) 24));
    violation(1, "", QueueProbe.pdu(7, 0, 24, 100).put(3, (byte) 26));
    violation(1, "", QueueProbe.pdu(7, 0, 24, 100).put(3, (byte) 20));
    violation(1, "", QueueProbe.pdu(7, 2, 24, 100).put(3, (byte) 24));
    violation(2, "", QueueProbe.icResp(0, 0, 8192));
    violation(1, "", QueueProbe.completion(0x1003, 0, 0));
    violation(1, "", QueueProbe.completion(0xffff, 0, 0));
    violation(1, "read", QueueProbe.r2t(0x7777, 1, 0, 512));
    violation(1, "write", QueueProbe.c2h(0, 0x7777, 0, new byte[512]));
    violation(1, "read", QueueProbe.c2h(0, 0x7777, 0, new byte[512]).putInt(16, 511));
    violation(4, "read", QueueProbe.c2h(0, 0x7777, 512, new byte[512]));
    violation(4, "read", QueueProbe.c2h(0, 0x7777, 0, new byte[8704]));
    violation(4, "read", QueueProbe.c2h(0, 0x7777, -512, new byte[512]));
    violation(4, "write", QueueProbe.r2t(0x7777, 1, 0, 8704));
    violation(4, "write", QueueProbe.r2t(0x7777, 1, 512, 512));
    violation(4, "write", QueueProbe.r2t(0x7777, 1, 0, 0));
    violation(2, "read", QueueProbe.completion(0x7777, 0, 0));
    violation(2, "write", QueueProbe.completion(0x7777, 0, 0));
  }

  @Test
  void aReadThatIsSaidToBeDoneTooEarlyEndsTheConnection() {
    for (int flags : new int[] {Pdu.LAST | Pdu.SUCCESS, Pdu.SUCCESS}) {
      var probe = QueueProbe.io(8, 0);
      probe.post("r", false, probe.arena.allocate(1024), 0, 1024);
      int id = QueueProbe.id(probe.out());
      int bytes = flags == Pdu.SUCCESS ? 1024 : 512;
      probe.feed(QueueProbe.c2h(flags, id, 0, bytes(bytes, 1)));
      assertEquals(List.of("live 7", "closing", "aborted r NONE", "over PROTOCOL"), probe.events);
    }
  }

  @Test
  void aSecondRequestForDataWhileTheFirstIsUnderWayIsTooMuch() {
    var probe = QueueProbe.io(8, 0);
    var memory = probe.arena.allocate(8192);
    probe.post("w", true, memory, 0, 8192);
    int id = QueueProbe.id(probe.out());
    var both = new java.io.ByteArrayOutputStream();
    both.writeBytes(QueueProbe.r2t(id, 1, 0, 4096).array());
    both.writeBytes(QueueProbe.r2t(id, 2, 4096, 4096).array());
    probe.feed(both.toByteArray(), Integer.MAX_VALUE);
    assertTrue(probe.queue.isOver());
    assertEquals(5, probe.lastWords[8]);
  }

  @Test
  void greetingsThatCannotBeAreRefused() {
    var wrong =
        List.of(
            QueueProbe.icResp(32, 0, 8192),
            QueueProbe.icResp(0, 1, 8192),
            QueueProbe.icResp(0, 0, 4092),
            QueueProbe.icResp(0, 0, 4097),
            QueueProbe.icResp(0, 0, 8192).putShort(8, (short) 1));
    for (var pdu : wrong) {
      var probe = new QueueProbe(QueueProbe.setup(1, 8, 0, false));
      probe.queue.begin(probe.now);
      probe.queue.open(probe.now);
      probe.out();
      probe.feed(pdu);
      assertEquals(List.of("closing", "over PROTOCOL"), probe.events);
      assertEquals(2, probe.lastWords[0]);
    }
  }

  @Test
  void aWrongHeaderDigestEndsTheConnection() {
    var probe = new QueueProbe(QueueProbe.setup(1, 8, 0, true));
    probe.begin(0, 1, 8192);
    var pdu = QueueProbe.withDigest(QueueProbe.completion(0x1000, 0, 0), true);
    pdu.put(9, (byte) 1);
    probe.feed(pdu);
    assertEquals(List.of("live 7", "closing", "over CHECKSUM"), probe.events);
    assertEquals(3, probe.lastWords[8]);
  }

  @Test
  void aTerminationByTheTargetEndsItWithoutAReply() {
    var probe = QueueProbe.io(8, 0);
    probe.feed(QueueProbe.pdu(3, 0, 24, 100).putShort(8, (short) 4));
    assertEquals(List.of("live 7", "closing", "over PROTOCOL"), probe.events);
    assertEquals(0, probe.lastWords.length);
    assertTrue(probe.faults.getFirst().text().contains("outside the command's buffer"));
  }
}

package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What breaks the rules of the wire ends the stream, and only that. */
class BrokenStreamTest {
  private static final int SIZE = 64 << 10;

  @Test
  void nobodyFencesAnothersLinksOrTheStreamItself() {
    for (var stale : new LinkId[] {new LinkId(6, 8), Duet.LINK}) {
      var duet = new Duet(4096, SIZE, 16, null);
      duet.requester.fence(stale);
      duet.settle();
      assertEquals(Bye.BAD_FENCE, duet.responder.end());
      assertTrue(duet.fences.isEmpty());
      assertEquals(FailureCode.PROTOCOL, duet.requester.fault().orElseThrow().code());
    }
  }

  @Test
  void aDamagedHeaderEndsTheStreamWithAReason() {
    var duet = new Duet(4096, SIZE, 16, null);
    var piece = duet.post(duet.write(0, 0, 10));
    var noise = MemorySegment.ofArray(new byte[Frame.HEADER]);
    duet.pipe.left.write(noise, 0, Frame.HEADER);
    duet.settle();
    assertEquals(Bye.BAD_HEADER, duet.responder.end());
    var fault = duet.requester.fault().orElseThrow();
    assertEquals(FailureCode.PROTOCOL, fault.code());
    assertTrue(fault.text().contains(Bye.BAD_HEADER.text()), fault.text());
    assertEquals(0, piece.ends);
    duet.requester.abandon();
    assertEquals(1, piece.ends);
  }

  @Test
  void aDamagedAnswerEndsTheStream() {
    for (int bit = 0; bit < Frame.HEADER * 8; bit++) {
      var duet = new Duet(4096, SIZE, 16, null);
      var piece = duet.post(duet.write(0, 0, 10));
      duet.requester.send();
      var raw = Duet.buffer(256);
      raw.put(0, Frame.ACK, 0, 1, 1, 0, 0);
      byte old = raw.memory().get(ValueLayout.JAVA_BYTE, bit / 8);
      raw.memory().set(ValueLayout.JAVA_BYTE, bit / 8, (byte) (old ^ 1 << bit % 8));
      duet.pipe.right.write(raw.memory(), 0, Frame.HEADER);
      duet.requester.receive();
      assertEquals(FailureCode.PROTOCOL, duet.requester.fault().orElseThrow().code());
      assertEquals(0, piece.ends, "bit " + bit);
    }
  }

  @Test
  void idsCountUpByOne() {
    for (long id : new long[] {0, 2, -1}) {
      var duet = new Duet(4096, SIZE, 16, null);
      var raw = Duet.buffer(256);
      raw.put(0, Frame.READ, 0, id, duet.region.memory.address(), 8, OneRegion.KEY);
      duet.pipe.left.write(raw.memory(), 0, Frame.HEADER);
      duet.settle();
      assertEquals(Bye.OUT_OF_ORDER, duet.responder.end());
    }
  }

  @Test
  void anAnswerThatFitsNoRequestEndsTheStream() {
    long[][] answers = {
      {Frame.ACK, 0, 2, 1, 0},
      {Frame.ACK, 0, 1, 0, 0},
      {Frame.ACK, 0, 2, 2, 0},
      {Frame.ACK, 0, 3, 3, 0},
      {Frame.ACK, 0, 1, -1, 0},
      {Frame.DATA, 0, 1, 0, 100},
      {Frame.DATA, 0, 2, 0, 100},
      {Frame.DATA, 0, 3, 0, 100},
      {Frame.WRITE, 0, 1, 0, 0},
    };
    for (var answer : answers) {
      var duet = new Duet(4096, SIZE, 16, null);
      var pieces = List.of(duet.post(duet.write(0, 0, 100)), duet.post(duet.read(0, 0, 100)));
      duet.requester.send();
      var raw = Duet.buffer(256);
      raw.put(0, (int) answer[0], (int) answer[1], answer[2], answer[3], answer[4], 0);
      duet.pipe.right.write(raw.memory(), 0, Frame.HEADER);
      duet.requester.receive();
      assertTrue(duet.requester.fault().isPresent(), Arrays.toString(answer));
      duet.requester.abandon();
      pieces.forEach(it -> assertEquals(1, it.ends, Arrays.toString(answer)));
    }
  }

  @Test
  void dataIsAsLongAsWhatWasAskedFor() {
    for (long length : new long[] {0, 99, 101, Long.MAX_VALUE, -1}) {
      var duet = new Duet(4096, SIZE, 16, null);
      duet.post(duet.read(0, 0, 100));
      duet.requester.send();
      var raw = Duet.buffer(256);
      raw.put(0, Frame.DATA, 0, 1, 0, length, 0);
      duet.pipe.right.write(raw.memory(), 0, Frame.HEADER);
      duet.requester.receive();
      assertEquals(FailureCode.PROTOCOL, duet.requester.fault().orElseThrow().code());
    }
  }

  @Test
  void aLengthBeyondWhatWasGrantedIsNotServed() {
    for (int type : new int[] {Frame.WRITE, Frame.READ}) {
      for (long length : new long[] {SIZE + 1, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
        var duet = new Duet(4096, SIZE, 16, null);
        var raw = Duet.buffer(256);
        long address = duet.region.memory.address();
        raw.put(0, type, 0, 1, address, length, OneRegion.KEY);
        duet.pipe.left.write(raw.memory(), 0, Frame.HEADER);
        duet.settle();
        assertEquals(Bye.BAD_LENGTH, duet.responder.end());
        assertEquals(0, duet.region.leases);
      }
    }
  }

  @Test
  void aSliceLongerThanAgreedFailsAlone() {
    var limits = new StreamLimits(2, 16, 1000, Duet.COPY_LIMIT, 0, 1 << 20, false);
    var duet = new Duet(Arena.ofAuto(), 4096, SIZE, limits, 1024, null);
    var tooLong = duet.post(duet.write(0, 0, 1001));
    var fits = duet.post(duet.write(0, 0, 1000));
    duet.settle();
    assertEquals(FailureCode.UNSUPPORTED, tooLong.fault.code());
    assertEquals(Fault.Effect.NONE, tooLong.fault.effect());
    assertNull(fits.fault);
  }

  @Test
  void anAnswerToWhatWasNotSentYetEndsTheStream() {
    var duet = new Duet(200, SIZE, 16, null);
    var piece = duet.post(duet.write(0, 0, 1000));
    duet.requester.send();
    var raw = Duet.buffer(256);
    raw.put(0, Frame.ACK, 0, 1, 1, 0, 0);
    duet.pipe.right.write(raw.memory(), 0, Frame.HEADER);
    duet.requester.receive();
    assertEquals(FailureCode.PROTOCOL, duet.requester.fault().orElseThrow().code());
    assertEquals(0, piece.ends);
  }

  @Test
  void moreRequestsAtOnceThanGrantedEndTheStream() {
    var duet = new Duet(16 << 10, SIZE, 16, null);
    var raw = Duet.buffer(256);
    for (int id = 1; id <= 17; id++) {
      raw.put(0, Frame.PING, 0, id, 0, 0, 0);
      duet.pipe.left.write(raw.memory(), 0, Frame.HEADER);
    }
    duet.settle();
    assertEquals(Bye.TOO_MANY, duet.responder.end());
  }
}

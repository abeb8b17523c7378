package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final long OURS = 77;

  private final Admission admission = new Admission(OURS, 1, 100, 1 << 20);
  private final FrameBuffer buffer = Duet.buffer(256);

  @Test
  void whoMeansThisGenerationAndThisRailIsWelcome() {
    assertEquals(Answer.Status.WELCOME, decide(asked(1, 10, OURS, 1)).status());
    assertEquals(Answer.Status.WELCOME, decide(asked(1, 10, 0, 1)).status());
  }

  @Test
  void theLowerDepthAndTheShorterLengthAreGranted() {
    var more = admission.decide(asked(1, 500, OURS, 1), false, false, false, 1000);
    assertEquals(100, more.depth());
    assertEquals(1 << 20, more.longest());
    assertTrue(more.fits(asked(1, 500, OURS, 1)));
    assertEquals(10, decide(asked(1, 10, OURS, 1)).depth());
    assertFalse(more.fits(asked(1, 99, OURS, 1)));
  }

  @Test
  void checksumsThatWereAgreedOnAreGrantedAndMustBe() {
    var asked = new Preamble(2, Frame.CHECKSUM, 10, 5, OURS, 9, 1, 1 << 20, 0, 1, 0);
    var answer = decide(asked);
    assertEquals(Frame.CHECKSUM, answer.flags());
    assertTrue(answer.fits(asked));
    var withheld = new Answer(2, 1, 0, Answer.Status.WELCOME, 10, OURS, 1 << 20);
    assertFalse(withheld.fits(asked));
    assertEquals(0, decide(asked(1, 10, OURS, 1)).flags());
  }

  @Test
  void streamsOfALinkAreNumberedWithinTheirBounds() {
    int[][] wrong = {{1, 1}, {0, 0}, {0, 65}, {64, 64}};
    for (var it : wrong) {
      var asked = new Preamble(2, 0, 10, 5, OURS, 9, 1, 1 << 20, it[0], it[1], 0);
      assertEquals(Answer.Status.MALFORMED, decide(asked).status());
    }
    var last = new Preamble(2, 0, 10, 5, OURS, 9, 1, 1 << 20, 63, 64, 0);
    assertEquals(Answer.Status.WELCOME, decide(last).status());
  }

  @Test
  void anotherGenerationIsToldTheTrueOne() {
    var answer = decide(asked(1, 10, OURS + 1, 1));
    assertEquals(Answer.Status.STALE_GENERATION, answer.status());
    assertEquals(OURS, answer.generation());
  }

  @Test
  void anotherVersionIsToldTheRange() {
    for (int version : new int[] {0, 3, 65535}) {
      var answer = decide(asked(version, 10, OURS, 1));
      assertEquals(Answer.Status.VERSION, answer.status());
      assertEquals(1, answer.lowest());
      assertEquals(Preamble.VERSION, answer.highest());
    }
  }

  @Test
  void theRestIsRefusedWithItsReason() {
    var good = asked(1, 10, OURS, 1);
    assertEquals(Answer.Status.WRONG_RAIL, decide(asked(1, 10, OURS, 0)).status());
    assertEquals(Answer.Status.MALFORMED, decide(asked(1, 0, OURS, 1)).status());
    assertEquals(Answer.Status.MALFORMED, decide(asked(1, -1, OURS, 1)).status());
    assertEquals(Answer.Status.FENCED, admission.decide(good, true, true, true, 0).status());
    assertEquals(Answer.Status.DUPLICATE, admission.decide(good, false, true, true, 0).status());
    assertEquals(Answer.Status.BUSY, admission.decide(good, false, false, true, 1).status());
  }

  @Test
  void aPreambleWithOneBitFlippedIsNone() {
    for (int bit = 0; bit < Preamble.LENGTH * 8; bit++) {
      asked(1, 10, OURS, 1).encode(buffer, 0);
      flip(bit);
      assertEquals(Optional.empty(), Preamble.decode(buffer, 0), "bit " + bit);
    }
  }

  @Test
  void anAnswerWithOneBitFlippedIsNone() {
    for (int bit = 0; bit < Answer.LENGTH * 8; bit++) {
      decide(asked(1, 10, OURS, 1)).encode(buffer, 0);
      flip(bit);
      assertEquals(Optional.empty(), Answer.decode(buffer, 0), "bit " + bit);
    }
  }

  private void flip(int bit) {
    var memory = buffer.memory();
    byte old = memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, bit / 8);
    memory.set(java.lang.foreign.ValueLayout.JAVA_BYTE, bit / 8, (byte) (old ^ 1 << bit % 8));
  }

  private Answer decide(Preamble asked) {
    return admission.decide(asked, false, false, false, 1000);
  }

  private static Preamble asked(int version, int depth, long expected, int rail) {
    return new Preamble(version, 0, depth, 5, expected, 9, rail, 64L << 20);
  }
}

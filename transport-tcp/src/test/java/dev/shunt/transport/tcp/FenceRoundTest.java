package dev.shunt.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.Mailbox;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FenceRoundTest {
  private static final Mailbox ENDED = _ -> false;

  private final ArrayDeque<Runnable> home = new ArrayDeque<>();
  private final List<Boolean> ends = new ArrayList<>();
  private final FenceRound round = new FenceRound(home::add, ends::add);

  @Test
  void itIsOverWhenTheLastLaneHasAnswered() {
    var lanes = new ArrayDeque<Runnable>();
    for (int i = 0; i < 3; i++) {
      round.ask(lanes::add, round::answered);
    }
    assertFalse(round.complete());
    for (int i = 0; i < 3; i++) {
      assertEquals(List.of(), ends);
      lanes.remove().run();
      home.remove().run();
    }
    assertEquals(List.of(true), ends);
  }

  @Test
  void aLaneThatHasEndedIsNotWaitedFor() {
    round.ask(ENDED, round::answered);
    assertTrue(round.complete());
    assertEquals(List.of(), ends);
  }

  @Test
  void withNobodyToAskItIsOverAtOnce() {
    assertTrue(round.complete());
  }
}

package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.cli.Asked.Wish;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AskedTest {
  private static final Stop.Signal TERM = new Stop.Signal("TERM", 15);
  private static final Stop.Signal INT = new Stop.Signal("INT", 2);

  private final Asked asked = new Asked();

  @Test
  void oneThatComesRightAfterTheFirstIsTheFirstAgain() {
    assertEquals(Wish.END, asked.by(TERM, -5));
    assertEquals(Wish.NOTHING, asked.by(TERM, -5));
    assertEquals(Wish.NOTHING, asked.by(INT, Asked.SAME - 6));
    assertEquals(Optional.of(TERM), asked.first());
  }

  @Test
  void aLaterOneEndsAtOnce() {
    asked.by(TERM, -5);
    asked.by(TERM, Asked.SAME - 6);
    assertEquals(Wish.END_AT_ONCE, asked.by(INT, Asked.SAME - 5), "counted from the first");
  }
}

package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailureTextTest {
  private static String text(boolean remoteEffect) {
    var attempt = new Failure.Attempt(1, "a > b", FailureCode.CONNECTION, "no answer");
    return new Failure(
            FailureCode.DEADLINE, "it is over", remoteEffect, Optional.empty(), List.of(attempt))
        .describe();
  }

  @Test
  void whatBecameOfSlicesAlikeIsToldOnce() {
    var lost = new Failure.Attempt(1, "a > b", FailureCode.CONNECTION, "the node closes");
    var refused = new Failure.Attempt(2, "a > b", FailureCode.CONNECTION, "refused");
    assertEquals(
        "DEADLINE: it is over; attempt 1 on a > b: CONNECTION the node closes (3 slices);"
            + " attempt 2 on a > b: CONNECTION refused",
        new Failure(
                FailureCode.DEADLINE,
                "it is over",
                false,
                Optional.empty(),
                List.of(lost, refused, lost, lost))
            .describe());
  }

  @Test
  void whatMayHaveChangedIsSaidBeforeTheHistory() {
    assertEquals(
        "DEADLINE: it is over; the remote range may have changed;"
            + " attempt 1 on a > b: CONNECTION no answer",
        text(true));
    assertEquals("DEADLINE: it is over; attempt 1 on a > b: CONNECTION no answer", text(false));
  }
}

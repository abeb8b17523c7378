package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The standard error of a second process. */
class ComplaintsTest {
  private final List<String> seen = new ArrayList<>();
  private final Complaints complaints = new Complaints("shunt serve: ", seen::add);

  @Test
  void theReasonOfAnEndIsTakenOutAndTheRestPassedOn() {
    complaints.accept("WARNING: a rail");
    complaints.accept("shunt serve: no memory");
    complaints.accept("shunt: --verbose shows where it happened");

    assertEquals(Optional.of("no memory"), complaints.reason());
    assertEquals(List.of("WARNING: a rail", "shunt: --verbose shows where it happened"), seen);
  }

  @Test
  void whatComesOnceItServesIsPassedOnAtOnce() {
    complaints.accept("early");
    assertEquals(List.of(), seen);
    complaints.ready();
    complaints.accept("shunt serve: late");

    assertEquals(List.of("early", "shunt serve: late"), seen);
    assertEquals(Optional.empty(), complaints.reason());
  }
}

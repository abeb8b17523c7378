package dev.shunt.runtime.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Journal;
import org.junit.jupiter.api.Test;

/** What people read of rails. */
class RailTalesTest {
  @Test
  void aRailThatComesBackWhileItsNodeDrainsIsUsedForWhatIsUnderWay() {
    var journal = new Journal(() -> 0);
    var tales = new RailTales("tcp", journal);
    assertEquals("is in use again (a note)", tales.back("a note"));
    journal.node(Change.NODE_DRAINING, 7, "");
    assertEquals("is in use again for what is under way", tales.back(""));
  }
}

package dev.shunt.runtime.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboxTest {
  private final Inbox inbox = new Inbox();
  private final List<Integer> ran = new ArrayList<>();

  private boolean push(int number) {
    return inbox.push(new LaneTask.Of(() -> ran.add(number)));
  }

  private void runAll() {
    LaneTask task;
    while ((task = inbox.poll()) != null) {
      task.run();
    }
  }

  @Test
  void tasksComeOutInTheOrderInWhichTheyWentIn() {
    push(1);
    push(2);
    inbox.poll().run();
    push(3);
    push(4);
    assertFalse(inbox.isEmpty());
    runAll();
    assertEquals(List.of(1, 2, 3, 4), ran);
    assertTrue(inbox.isEmpty());
    assertNull(inbox.poll());
  }

  @Test
  void whatWasInBeforeItClosedRunsAndNothingElseGetsIn() {
    push(1);
    push(2);
    inbox.poll().run();
    push(3);
    inbox.close();
    assertFalse(push(4), "it is closed");
    runAll();
    assertFalse(push(5), "and stays so");
    assertEquals(List.of(1, 2, 3), ran);
  }
}

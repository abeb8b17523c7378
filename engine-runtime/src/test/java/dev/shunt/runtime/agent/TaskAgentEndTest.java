package dev.shunt.runtime.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TaskAgentEndTest {
  @Test
  void aTaskThatIsTakenRunsAlsoWhileTheAgentEnds() throws InterruptedException {
    for (int round = 0; round < 1000; round++) {
      var agent = new TaskAgent("ending", 50_000);
      var taken = new AtomicInteger();
      var ran = new AtomicInteger();
      var sender =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (taken.get() < 20_000 && agent.execute(ran::incrementAndGet)) {
                      taken.incrementAndGet();
                    }
                  });
      while (taken.get() < 50 + round % 200) {
        Thread.onSpinWait();
      }
      agent.close(0);
      sender.join();
      assertEquals(taken.get(), ran.get(), "round " + round);
    }
  }
}

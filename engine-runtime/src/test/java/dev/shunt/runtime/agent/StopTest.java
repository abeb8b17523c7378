package dev.shunt.runtime.agent;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StopTest {
  /** An agent that forgets in its turn that it was woken, as a selector does when it is polled. */
  private static final class Forgetful extends TaskAgent {
    private final CountDownLatch within = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    Forgetful() {
      super("forgetful", 10);
    }

    @Override
    public int work(long now) {
      within.countDown();
      try {
        assertTrue(goOn.await(10, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return 0;
    }

    @Override
    public void park(long deadline) {
      try {
        Thread.sleep(30_000);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void anAgentThatIsStoppedWithinItsTurnDoesNotPark() throws InterruptedException {
    var agent = new Forgetful();
    var running = new ThreadPlatform("stop-").start(agent);
    assertTrue(agent.within.await(10, TimeUnit.SECONDS));
    running.stop(ended -> {});
    agent.goOn.countDown();
    assertTrue(running.join(10_000_000_000L));
  }
}

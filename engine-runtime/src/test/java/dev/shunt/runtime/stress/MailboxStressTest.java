package dev.shunt.runtime.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.Mailbox;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.agent.TaskAgent;
import dev.shunt.runtime.agent.ThreadPlatform;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is sent to a thread, when that thread rests or ends at the same moment. */
class MailboxStressTest {
  private static final int SENDERS = 3;
  private static final int TASKS = 20;
  private static final int REFUSED = 100;

  enum Kind {
    TASKS,
    LANE
  }

  /** Both kinds are agents and mailboxes at once. */
  private static Agent agent(Kind kind, SplittableRandom chance) {
    return switch (kind) {
      case TASKS -> new TaskAgent("stress", 1000);
      case LANE -> new StressLane(0, chance).lane;
    };
  }

  @ParameterizedTest
  @EnumSource
  void aTaskThatWasTakenRunsOnceThoughTheAgentEnds(Kind kind) throws InterruptedException {
    try (var racers = new Racers("MailboxStressTest ends " + kind, 3)) {
      while (racers.another(2000)) {
        end(racers, agent(kind, racers.chance()));
      }
    }
  }

  private static void end(Racers racers, Agent agent) throws InterruptedException {
    var running = new ThreadPlatform("stress-").start(agent);
    var ran = new AtomicIntegerArray(SENDERS * TASKS);
    var taken = new AtomicInteger();
    var all = new ArrayList<Runnable>();
    for (int sender = 0; sender < SENDERS; sender++) {
      int first = sender * TASKS;
      var chance = racers.chance();
      all.add(
          () -> {
            for (int i = first; i < first + TASKS; i++) {
              int at = i;
              if (((Mailbox) agent).execute(() -> ran.incrementAndGet(at))) {
                taken.incrementAndGet();
              } else {
                ran.addAndGet(at, REFUSED);
              }
              Racers.dawdle(chance, 50);
            }
          });
    }
    var chance = racers.chance();
    all.add(
        () -> {
          Racers.dawdle(chance, 2000);
          running.stop(_ -> {});
        });
    racers.run(all);
    assertTrue(running.join(TimeUnit.SECONDS.toNanos(10)), "the agent did not end");
    int once = 0;
    for (int i = 0; i < ran.length(); i++) {
      var times = ran.get(i);
      assertTrue(times == 1 || times == REFUSED, "runs of a task, or of a refused one: " + times);
      once += times == 1 ? 1 : 0;
    }
    assertEquals(taken.get(), once);
  }

  @ParameterizedTest
  @EnumSource
  void aTaskWakesAnAgentThatIsAboutToRest(Kind kind) throws InterruptedException {
    try (var racers = new Racers("MailboxStressTest wakes " + kind, 2)) {
      var agent = agent(kind, racers.chance());
      var running = new ThreadPlatform("stress-").start(agent);
      var chance = racers.chance();
      var ran = new AtomicLong();
      for (long sent = 1; racers.another(200_000); sent++) {
        Racers.dawdle(chance, 20);
        assertTrue(((Mailbox) agent).execute(ran::incrementAndGet));
        var until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (ran.get() < sent) {
          assertTrue(System.nanoTime() - until < 0, "the agent sleeps over task " + sent);
          Thread.yield();
        }
      }
      running.stop(_ -> {});
      assertTrue(running.join(TimeUnit.SECONDS.toNanos(10)), "the agent did not end");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAgentThatIsAboutToRestEnds(Kind kind) throws InterruptedException {
    try (var racers = new Racers("MailboxStressTest stops " + kind, 2)) {
      var platform = new ThreadPlatform("stress-");
      var chance = racers.chance();
      while (racers.another(10_000)) {
        var running = platform.start(agent(kind, chance));
        Racers.dawdle(chance, 2000);
        running.stop(_ -> {});
        assertTrue(running.join(TimeUnit.SECONDS.toNanos(10)), "the agent sleeps over its end");
      }
    }
  }
}

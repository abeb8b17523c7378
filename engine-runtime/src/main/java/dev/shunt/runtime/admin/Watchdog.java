package dev.shunt.runtime.admin;

import dev.shunt.runtime.admin.core.Pulse;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wakes the engine's threads once a second, and tells which of them make no progress. */
public final class Watchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
  private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

  private final List<? extends Agent> agents;
  private final List<Platform.Running> running;
  private final Journal journal;
  private final Pulse pulse;
  private final Runnable chore;
  private final Thread thread;
  private volatile List<String> stuck = List.of();
  private volatile boolean closed;

  /**
   * Begins to watch.
   *
   * @param running the turns of the agents, in the same order
   * @param patience how long one may make no progress, in nanoseconds
   * @param chore what else is to be done at each beat
   */
  public Watchdog(
      List<? extends Agent> agents,
      List<Platform.Running> running,
      long patience,
      Journal journal,
      Runnable chore) {
    this.agents = List.copyOf(agents);
    this.running = List.copyOf(running);
    this.journal = journal;
    this.chore = chore;
    this.pulse = new Pulse(agents.size(), patience, PERIOD, System.nanoTime());
    this.thread = Thread.ofPlatform().daemon().name("shunt-watchdog").start(this::watch);
  }

  /** Names of those that make no progress. Any thread. */
  public List<String> stuck() {
    return stuck;
  }

  private void watch() {
    for (var next = System.nanoTime(); !closed; next += PERIOD) {
      var now = System.nanoTime();
      next = Math.max(next, now - PERIOD);
      try {
        beat(now);
        chore.run();
      } catch (RuntimeException | Error thrown) {
        LOG.error("the watchdog threw; it goes on", thrown);
      }
      for (var left = next + PERIOD - System.nanoTime(); left > 0 && !closed; ) {
        LockSupport.parkNanos(this, left);
        left = next + PERIOD - System.nanoTime();
      }
    }
  }

  private void beat(long now) {
    pulse.beat(now);
    var still = new ArrayList<String>();
    for (int i = 0; i < agents.size(); i++) {
      var agent = agents.get(i);
      if (pulse.look(i, running.get(i).turns(), now)) {
        tell(agent, pulse.stuck(i), pulse.silence(i, now));
      }
      if (pulse.stuck(i)) {
        still.add(agent.name());
      }
      agent.wake();
    }
    stuck = List.copyOf(still);
  }

  private void tell(Agent agent, boolean standsStill, long silence) {
    journal.agent(standsStill ? Change.AGENT_STUCK : Change.AGENT_MOVING, agent.name(), silence);
    if (standsStill) {
      LOG.error(
          "{} has made no progress for {} s; a thread dump shows what it is at",
          agent.name(),
          TimeUnit.NANOSECONDS.toSeconds(silence));
    } else {
      LOG.warn("{} makes progress again", agent.name());
    }
  }

  /** Ends it; it says nothing of the agents' end. */
  @Override
  public void close() {
    closed = true;
    stuck = List.of();
    LockSupport.unpark(thread);
  }
}

package dev.shunt.runtime.agent;

import dev.shunt.api.spi.Wires;
import dev.shunt.runtime.wire.NioWires;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The real one: a daemon platform thread for each agent, NIO for streams. */
public final class ThreadPlatform implements Platform {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadPlatform.class);
  private static final int MAX_SACRIFICED = 32;

  private final String prefix;
  private final NioWires wires = new NioWires();
  private final Semaphore sacrificed = new Semaphore(MAX_SACRIFICED);

  /**
   * A platform for one engine.
   *
   * @param prefix begins the threads' names
   */
  public ThreadPlatform(String prefix) {
    this.prefix = prefix;
  }

  @Override
  public long now() {
    return System.nanoTime();
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public long random() {
    return ThreadLocalRandom.current().nextLong();
  }

  @Override
  public Wires wires() {
    return wires;
  }

  @Override
  public Running start(Agent agent) {
    var turns = new Turns(agent);
    turns.thread = Thread.ofPlatform().daemon().name(prefix + agent.name()).unstarted(turns);
    turns.thread.start();
    return turns;
  }

  @Override
  public <T> boolean sacrifice(String what, Callable<T> call, Ended<T> done) {
    if (!sacrificed.tryAcquire()) {
      LOG.warn("{} calls block already; not tried: {}", MAX_SACRIFICED, what);
      return false;
    }
    Thread.ofPlatform()
        .daemon()
        .name(prefix + "attempt: " + what)
        .start(
            () -> {
              T result = null;
              Throwable thrown = null;
              try {
                result = call.call();
              } catch (Exception | LinkageError e) {
                thrown = e;
              } finally {
                sacrificed.release();
              }
              done.ended(result, thrown);
            });
    return true;
  }

  private static final class Turns implements Runnable, Running {
    private final Agent agent;
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicLong turns = new AtomicLong();
    private volatile Consumer<Agent> stop;
    private Thread thread;

    Turns(Agent agent) {
      this.agent = agent;
    }

    @Override
    public void run() {
      try {
        while (stop == null) {
          turn();
        }
        agent.close(System.nanoTime());
        stop.accept(agent);
      } catch (RuntimeException | Error thrown) {
        LOG.error("{} could not be closed", agent.name(), thrown);
      } finally {
        over.countDown();
      }
    }

    /** A turn that throws must not take the agent's other work with it. */
    private void turn() {
      // One writer, and nobody waits for it.
      turns.setOpaque(turns.getPlain() + 1);
      try {
        // A poll takes a wake with it: so whether to end is asked once more before it parks.
        if (agent.work(System.nanoTime()) == 0 && stop == null) {
          agent.park(agent.nextDeadline());
        }
      } catch (RuntimeException | Error thrown) {
        LOG.error("a turn of {} threw; the agent goes on", agent.name(), thrown);
      }
    }

    @Override
    public void stop(Consumer<Agent> ended) {
      stop = ended;
      agent.wake();
    }

    @Override
    public long turns() {
      return turns.getOpaque();
    }

    @Override
    public boolean own() {
      return Thread.currentThread() == thread;
    }

    @Override
    public boolean join(long nanos) throws InterruptedException {
      return over.await(nanos, TimeUnit.NANOSECONDS);
    }
  }
}

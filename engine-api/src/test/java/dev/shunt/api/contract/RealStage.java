package dev.shunt.api.contract;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.Wires;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The real clock, real sockets, real devices. The hosts are two parts of this process; their turns
 * run in a circle on the test's thread.
 */
public final class RealStage implements Stage {
  private static final long PAUSE = 20_000;

  private final SplittableRandom random;
  private final TreeMap<String, Process> processes = new TreeMap<>();
  private final ConcurrentLinkedQueue<Runnable> mail = new ConcurrentLinkedQueue<>();

  /** A stage; the seed decides only what the tests draw, not what happens. */
  public RealStage(long seed) {
    random = new SplittableRandom(seed);
  }

  @Override
  public long now() {
    return System.nanoTime();
  }

  @Override
  public boolean virtual() {
    return false;
  }

  @Override
  public synchronized long random() {
    return random.nextLong();
  }

  @Override
  public void start(String host) {
    processes.put(host, new Process());
  }

  @Override
  public Runnable actor(String host, String name, Actor actor) {
    processes.get(host).actors.add(actor);
    return () -> {};
  }

  @Override
  public Wires wires(String host) {
    var process = processes.get(host);
    return _ -> {
      var loop = new RealLoop();
      process.loops.add(loop);
      return loop;
    };
  }

  @Override
  public void send(String host, Runnable task) {
    var process = processes.get(host);
    mail.add(
        () -> {
          if (process.frozen) {
            process.mail.add(task);
          } else if (!process.dead) {
            task.run();
          }
        });
  }

  @Override
  public void blocking(String host, Runnable task) {
    Thread.ofPlatform().daemon().name("attempt of " + host).start(task);
  }

  @Override
  public void freeze(String host) {
    processes.get(host).frozen = true;
  }

  @Override
  public void thaw(String host) {
    var process = processes.get(host);
    process.frozen = false;
    mail.addAll(process.mail);
    process.mail.clear();
  }

  @Override
  public void kill(String host, Death death) {
    var process = processes.get(host);
    process.dead = true;
    process.actors.clear();
    process.loops.forEach(RealLoop::close);
  }

  @Override
  public boolean until(BooleanSupplier condition, long nanos) {
    long end = System.nanoTime() + nanos;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      if (turns() == 0) {
        LockSupport.parkNanos(PAUSE);
      }
    }
    return true;
  }

  private int turns() {
    int done = 0;
    Runnable task;
    while ((task = mail.poll()) != null) {
      task.run();
      done++;
    }
    for (var process : processes.values()) {
      if (!process.frozen) {
        for (int i = 0; i < process.actors.size(); i++) {
          done += process.actors.get(i).work(System.nanoTime());
        }
      }
    }
    return done;
  }

  private static final class Process {
    final List<Actor> actors = new ArrayList<>();
    final List<RealLoop> loops = new ArrayList<>();
    final List<Runnable> mail = new ArrayList<>();
    boolean frozen;
    boolean dead;
  }
}

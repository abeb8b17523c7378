package dev.shunt.api.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Virtual time, and whatever happens in it, one event after another on the caller's thread. Events
 * of the same time come in an order that the seed decides.
 */
public final class World {
  /** More events than any test needs: past it something runs in circles. */
  private static final long DEFAULT_LIMIT = 50_000_000;

  private final long seed;
  private final Dice root;
  private final Dice ties;
  private final Dice pace;
  private final Trace trace = new Trace();
  private final MemoryLog memory = new MemoryLog();
  private final EventQueue queue = new EventQueue();
  private final List<SimProcess> processes = new ArrayList<>();
  private final List<Runnable> checks = new ArrayList<>();
  private long now = 1_000_000_000L;
  private long events;
  private long limit = DEFAULT_LIMIT;
  private Turn current;
  private int numbers;

  /** A world of a seed. */
  public World(long seed) {
    this.seed = seed;
    root = new Dice(seed);
    ties = root.split("ties");
    pace = root.split("pace");
  }

  /** What it was made from. */
  public long seed() {
    return seed;
  }

  /** Virtual nanoseconds. */
  public long now() {
    return now;
  }

  /** Dice for a purpose; the same label gives the same numbers. */
  public Dice dice(String label) {
    return root.split(label);
  }

  /** What happened. */
  public Trace trace() {
    return trace;
  }

  /** Who wrote into memory. */
  public MemoryLog memory() {
    return memory;
  }

  /** How many events there were. */
  public long events() {
    return events;
  }

  /** Fails the run after so many events. */
  public void limit(long events) {
    limit = events;
  }

  /** A new process, without a host. */
  public SimProcess process(String name) {
    var process = new SimProcess(this, name);
    processes.add(process);
    return process;
  }

  /** All processes, dead ones too, in the order of their start. */
  public List<SimProcess> processes() {
    return List.copyOf(processes);
  }

  /** Something to check after each event; it throws when it fails. */
  public void check(Runnable check) {
    checks.add(check);
  }

  /** Does something at a time. */
  public void at(long time, Runnable task) {
    schedule(
        new Event() {
          @Override
          protected void fire(long at) {
            trace.fold(at);
            task.run();
          }
        },
        time);
  }

  /** Schedules an event, or moves it if it is scheduled already. A time that is past is now. */
  public void schedule(Event event, long time) {
    if (event.scheduled()) {
      queue.remove(event);
    }
    event.time = Math.max(time, now);
    event.tie = ties.next();
    queue.add(event);
  }

  /** Forgets an event if it is scheduled. */
  public void cancel(Event event) {
    if (event.scheduled()) {
      queue.remove(event);
    }
  }

  /**
   * Lets the next event happen.
   *
   * @return false if there is none
   */
  public boolean step() {
    Event event = queue.first();
    if (event == null) {
      return false;
    }
    queue.remove(event);
    now = event.time;
    events++;
    if (events > limit) {
      throw new IllegalStateException(
          "seed " + seed + ": more than " + limit + " events; something runs in circles");
    }
    event.fire(now);
    for (int i = 0; i < checks.size(); i++) {
      checks.get(i).run();
    }
    return true;
  }

  /** Lets time pass, with all that happens in it. */
  public void run(long nanos) {
    long end = now + nanos;
    while (queue.first() != null && queue.first().time <= end) {
      step();
    }
    now = end;
  }

  /**
   * Lets time pass until a condition holds.
   *
   * @param nanos how long at most
   * @return whether it holds
   */
  public boolean runUntil(BooleanSupplier condition, long nanos) {
    long end = now + nanos;
    while (!condition.getAsBoolean()) {
      Event next = queue.first();
      if (next == null || next.time > end) {
        now = end;
        return condition.getAsBoolean();
      }
      step();
    }
    return true;
  }

  /**
   * The turn that runs just now, or null. A fabric notes whose turn it is when it is polled, and
   * wakes that one when it has something.
   */
  public Turn current() {
    return current;
  }

  void current(Turn turn) {
    current = turn;
  }

  /** How long until a runnable actor has its turn: a little, and never the same. */
  long pace() {
    return 50 + pace.below(950);
  }

  int number() {
    return ++numbers;
  }
}

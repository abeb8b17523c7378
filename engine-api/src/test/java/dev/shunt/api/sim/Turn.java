package dev.shunt.api.sim;

/** An actor's place in the world's order of turns. */
public final class Turn extends Event {
  private final SimProcess process;
  private final Actor actor;
  private final String name;
  private final int number;
  private boolean running;
  private boolean again;
  private boolean missed;
  private boolean ended;
  private boolean held;

  Turn(SimProcess process, String name, Actor actor) {
    this.process = process;
    this.name = name;
    this.actor = actor;
    this.number = process.world().number();
  }

  /** Whose turn. */
  public SimProcess process() {
    return process;
  }

  /** The actor's name. */
  public String name() {
    return name;
  }

  /** Gives the actor a turn soon. */
  public void wake() {
    if (ended) {
      return;
    }
    if (running) {
      again = true;
      return;
    }
    if (held || process.frozen()) {
      missed = true;
      return;
    }
    var world = process.world();
    long soon = world.now() + world.pace();
    if (!scheduled() || time() > soon) {
      world.schedule(this, soon);
    }
  }

  /** No turn any more. */
  public void end() {
    ended = true;
    process.world().cancel(this);
  }

  /** Stands still for a time while the rest of its process goes on, or goes on again. */
  void hold(boolean still) {
    held = still;
    thawed();
  }

  void thawed() {
    if (missed && !held && !process.frozen()) {
      missed = false;
      wake();
    }
  }

  @Override
  protected void fire(long now) {
    if (held || process.frozen()) {
      missed = true;
      return;
    }
    var world = process.world();
    var outer = world.current();
    world.current(this);
    running = true;
    again = false;
    int done;
    try {
      done = actor.work(now);
    } finally {
      running = false;
      world.current(outer);
    }
    world.trace().add(now, "turn", number, done);
    if (ended) {
      return;
    }
    if (done > 0 || again) {
      world.schedule(this, now + world.pace());
      return;
    }
    long deadline = actor.nextDeadline();
    if (deadline != Long.MAX_VALUE) {
      world.schedule(this, Math.max(deadline, now + 1) + world.pace());
    }
  }
}

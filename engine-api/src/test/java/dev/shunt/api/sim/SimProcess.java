package dev.shunt.api.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A process of the virtual world: actors that freeze, thaw and die together. */
public final class SimProcess {
  private final World world;
  private final String name;
  private final Dice dice;
  private final List<Turn> turns = new ArrayList<>();
  private final List<Consumer<Death>> mourners = new ArrayList<>();
  private boolean frozen;
  private boolean dead;

  SimProcess(World world, String name) {
    this.world = world;
    this.name = name;
    this.dice = world.dice("process " + name);
  }

  /** Where it lives. */
  public World world() {
    return world;
  }

  /** Its name, for logs. */
  public String name() {
    return name;
  }

  /** Its own random numbers. */
  public Dice dice() {
    return dice;
  }

  /** Adds an actor; its first turn comes soon. */
  public Turn actor(String actorName, Actor actor) {
    var turn = new Turn(this, name + "/" + actorName, actor);
    turns.add(turn);
    if (dead) {
      turn.end();
    } else {
      turn.wake();
    }
    return turn;
  }

  /** Gives all its actors a turn: for a fabric that does not know whom it concerns. */
  public void wake() {
    for (var turn : turns) {
      turn.wake();
    }
  }

  /** Whether it is frozen. */
  public boolean frozen() {
    return frozen;
  }

  /** Whether it is dead. */
  public boolean dead() {
    return dead;
  }

  /** Stops all its actors where they are; time and the network go on. */
  public void freeze() {
    world.trace().add(world.now(), "freeze", turns.size(), 0);
    frozen = true;
  }

  /** Lets them go on. */
  public void thaw() {
    world.trace().add(world.now(), "thaw", turns.size(), 0);
    frozen = false;
    for (var turn : turns) {
      turn.thawed();
    }
  }

  /**
   * Stops some of its actors, or lets them go on, while the others do: a thread that is stuck.
   *
   * @param which by their names, without the process'
   */
  public void hold(Predicate<String> which, boolean still) {
    world.trace().add(world.now(), "hold", turns.size(), still ? 1 : 0);
    for (var turn : turns) {
      if (which.test(turn.name().substring(name.length() + 1))) {
        turn.hold(still);
      }
    }
  }

  /** Ends it, for ever. Does nothing to a dead one. */
  public void die(Death death) {
    if (dead) {
      return;
    }
    world.trace().add(world.now(), "die", turns.size(), death.ordinal());
    dead = true;
    for (var turn : turns) {
      turn.end();
    }
    for (var mourner : mourners) {
      mourner.accept(death);
    }
  }

  /** What a fabric does when the process ends. */
  public void onDeath(Consumer<Death> mourner) {
    mourners.add(mourner);
  }

  /** How a process ends. */
  public enum Death {
    /** By itself or by a signal: the kernel closes what it had open. */
    KILLED,
    /** With its host, by a loss of power: nobody hears anything. */
    VANISHED
  }
}

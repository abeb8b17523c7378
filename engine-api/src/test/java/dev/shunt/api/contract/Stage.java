package dev.shunt.api.contract;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.Wires;
import java.util.function.BooleanSupplier;

/**
 * Where a contract plays: a virtual world, or the real one. Either way all hosts' turns run on the
 * test's own thread, so a test needs no locks and measures what it wants to.
 */
public interface Stage {
  /** Monotonic nanoseconds. */
  long now();

  /** Whether time is virtual. */
  boolean virtual();

  /** 64 random bits. */
  long random();

  /** Begins a new process of a host, in place of an earlier one. */
  void start(String host);

  /**
   * Adds an actor to a host's process.
   *
   * @return gives it a turn soon; may be called by any thread on a real stage
   */
  Runnable actor(String host, String name, Actor actor);

  /** Byte streams for a host's process. */
  Wires wires(String host);

  /**
   * Calls something soon: after the time that a message from one host to another takes.
   *
   * @param host in whose process it runs: not at all if that is dead by then, later if it is frozen
   */
  void send(String host, Runnable task);

  /** Runs something in a thread that may block, as far as the stage has any. */
  void blocking(String host, Runnable task);

  /** Stops a host's process where it is. */
  void freeze(String host);

  /** Lets it go on. */
  void thaw(String host);

  /** Ends a host's process. */
  void kill(String host, Death death);

  /**
   * Lets all hosts have their turns until a condition holds.
   *
   * @return whether it held within so many nanoseconds
   */
  boolean until(BooleanSupplier condition, long nanos);

  /** Lets so much time pass. */
  default void run(long nanos) {
    until(() -> false, nanos);
  }
}

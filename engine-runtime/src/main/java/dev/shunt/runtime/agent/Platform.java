package dev.shunt.runtime.agent;

import dev.shunt.api.spi.Wires;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What an engine stands on: time, chance, sockets and threads. A simulator has another one. */
public interface Platform {
  /** Monotonic nanoseconds. */
  long now();

  /** Wall-clock milliseconds since 1970: for generations, and for people. */
  long wallMillis();

  /** 64 random bits. */
  long random();

  /** Byte streams. */
  Wires wires();

  /** Gives an agent its turns from now on. */
  Running start(Agent agent);

  /** Lets time pass for the calling thread, which is no agent's. */
  default void pause(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos);
  }

  /**
   * Runs a call that may block for minutes on a thread to be sacrificed.
   *
   * @param done takes the result, or what was thrown (the other is null), on that thread
   * @return false if too many such threads are busy: the call will not run
   */
  <T> boolean sacrifice(String what, Callable<T> call, Ended<T> done);

  /** Takes the end of a call. */
  interface Ended<T> {
    /** One of the two is null. */
    void ended(T result, Throwable thrown);
  }

  /** An agent that has its turns. */
  interface Running {
    /**
     * Ends the turns, after {@link Agent#close}. Does not wait.
     *
     * @param ended called when it is over, on the agent's thread
     */
    void stop(Consumer<Agent> ended);

    /** How many turns it had; where nobody counts them always 0. Any thread. */
    default long turns() {
      return 0;
    }

    /** Whether it is the agent's own thread that asks: it cannot wait for its own end. */
    default boolean own() {
      return false;
    }

    /** Waits until it is over; false if the time passed first. */
    boolean join(long nanos) throws InterruptedException;
  }
}

package dev.shunt.api.spi;

import java.util.concurrent.Callable;
import java.util.function.BiConsumer;

/**
 * Runs calls that may block, each on a platform thread that can be given up. Their number is
 * capped.
 */
public interface Attempts {
  /**
   * Runs a call elsewhere. When the deadline passes first, the answer is a failure and the thread
   * is left to finish on its own; what it then returns goes to {@code late}.
   *
   * @param deadline in nanoseconds of {@link TransportContext#now()}
   * @param answer called on the supervisor thread, once: a result, or what went wrong (the other is
   *     null)
   * @param late called on the supervisor thread with a result that came after the deadline, so that
   *     it can be freed
   */
  <T> void run(
      String what,
      Callable<T> call,
      long deadline,
      BiConsumer<T, Fault> answer,
      java.util.function.Consumer<T> late);
}

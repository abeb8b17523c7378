package dev.shunt.api;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Something that happens once: polled, awaited, or called back. Any thread.
 *
 * @param <T> what it brings
 */
public interface Signal<T> {
  /** Whether it has happened. */
  boolean isDone();

  /** What it brought, if it has happened. */
  Optional<T> poll();

  /**
   * Waits for it.
   *
   * @throws ShuntException with DEADLINE if the timeout passes first: nothing is given up by that
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  T await(Duration timeout) throws InterruptedException;

  /**
   * Calls back when it happens, or soon if it has, on the engine's delivery thread. What the
   * callback throws is logged and counted.
   */
  void whenDone(Consumer<? super T> callback);

  /** As a stage of the JDK's; completed on the engine's delivery thread. */
  CompletionStage<T> toStage();
}

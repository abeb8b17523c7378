package dev.shunt.runtime.transfer;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Signal;
import dev.shunt.runtime.agent.Nanos;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A signal on a future of the JDK's. Callbacks never run on the thread that completes it, which is
 * a lane's as a rule.
 */
public final class FutureSignal<T> implements Signal<T> {
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final Executor delivery;

  /**
   * A signal that has not happened.
   *
   * @param delivery runs callbacks; logs what they throw
   */
  public FutureSignal(Executor delivery) {
    this.delivery = delivery;
  }

  /** It happens, if it has not. */
  public void complete(T value) {
    future.complete(value);
  }

  @Override
  public boolean isDone() {
    return future.isDone();
  }

  @Override
  public Optional<T> poll() {
    return Optional.ofNullable(future.getNow(null));
  }

  @Override
  public T await(Duration timeout) throws InterruptedException {
    try {
      return future.get(Nanos.of(timeout), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new ShuntException(
          FailureCode.DEADLINE, "not there after " + timeout + "; it may still come", e);
    } catch (ExecutionException e) {
      throw new ShuntException(FailureCode.INTERNAL, "a signal ended in an exception", e);
    }
  }

  @Override
  public void whenDone(Consumer<? super T> callback) {
    future.thenAcceptAsync(callback, delivery);
  }

  @Override
  public CompletionStage<T> toStage() {
    return future.thenApplyAsync(value -> value, delivery);
  }
}

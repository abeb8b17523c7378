package dev.shunt.runtime.transfer;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Signal;
import dev.shunt.runtime.agent.Nanos;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A signal that costs nothing beyond itself for the usual one who waits: it is polled, or awaited
 * by one thread. Only callbacks, stages and further threads that wait bring a future of the JDK's.
 * Callbacks never run on the thread that completes it, which is a lane's as a rule.
 *
 * @param <T> what it brings
 */
abstract class Happening<T> implements Signal<T> {
  private static final VarHandle VALUE = handle("value", Object.class);
  private static final VarHandle WAITER = handle("waiter", Thread.class);
  private static final VarHandle FUTURE = handle("future", CompletableFuture.class);

  /** How often one who waits looks before it asks for the time. */
  private static final int LOOKS = 16;

  /** Null until it has happened. Each one who waits is written before it looks at this again. */
  private volatile Object value;

  private volatile Thread waiter;
  private volatile CompletableFuture<T> future;

  private static VarHandle handle(String field, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(Happening.class, field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Runs callbacks; logs what they throw. */
  abstract Executor delivery();

  /** For how many nanoseconds one who waits looks again and again before it sleeps. */
  abstract long spin();

  /** It happens, if it has not. */
  public final void complete(T brought) {
    if (!VALUE.compareAndSet(this, null, brought)) {
      return;
    }
    var thread = waiter;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
    var known = future;
    if (known != null) {
      known.complete(brought);
    }
  }

  @SuppressWarnings("unchecked")
  private T value() {
    return (T) value;
  }

  private CompletableFuture<T> future() {
    var known = future;
    if (known == null) {
      var made = new CompletableFuture<T>();
      known = FUTURE.compareAndSet(this, null, made) ? made : future;
    }
    var happened = value();
    if (happened != null) {
      known.complete(happened);
    }
    return known;
  }

  @Override
  public final boolean isDone() {
    return value != null;
  }

  @Override
  public final Optional<T> poll() {
    return Optional.ofNullable(value());
  }

  @Override
  public final T await(Duration timeout) throws InterruptedException {
    var happened = value();
    if (happened != null) {
      return happened;
    }
    var start = System.nanoTime();
    happened = look(start);
    return happened != null ? happened : sleep(start + Nanos.of(timeout), timeout);
  }

  private T look(long start) {
    var most = spin();
    if (most <= 0) {
      return null;
    }
    T happened;
    do {
      for (int i = 0; i < LOOKS; i++) {
        happened = value();
        if (happened != null) {
          return happened;
        }
        Thread.onSpinWait();
      }
      // Whoever is to make it happen may need this very processor.
      Thread.yield();
    } while (System.nanoTime() - start < most);
    return null;
  }

  private T sleep(long until, Duration timeout) throws InterruptedException {
    var self = Thread.currentThread();
    if (!WAITER.compareAndSet(this, null, self)) {
      return sleepAlongside(until, timeout);
    }
    try {
      T happened;
      while ((happened = value()) == null) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        var left = until - System.nanoTime();
        if (left <= 0) {
          throw late(timeout, null);
        }
        LockSupport.parkNanos(this, left);
      }
      return happened;
    } finally {
      waiter = null;
    }
  }

  private T sleepAlongside(long until, Duration timeout) throws InterruptedException {
    try {
      return future().get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw late(timeout, e);
    } catch (ExecutionException e) {
      throw new ShuntException(FailureCode.INTERNAL, "a signal ended in an exception", e);
    }
  }

  private static ShuntException late(Duration timeout, Throwable cause) {
    return new ShuntException(
        FailureCode.DEADLINE,
        "not there after " + Nanos.text(timeout) + "; it may still come",
        cause);
  }

  @Override
  public final void whenDone(Consumer<? super T> callback) {
    future().thenAcceptAsync(callback, delivery());
  }

  @Override
  public final CompletionStage<T> toStage() {
    return future().thenApplyAsync(happened -> happened, delivery());
  }
}

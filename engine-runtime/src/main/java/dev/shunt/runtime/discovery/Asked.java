package dev.shunt.runtime.discovery;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A question to code of others that is under way. It runs on a thread of its own, so that several
 * are asked at the same time, and all that hang take no longer than one. The thread is given up if
 * there is no answer in time: it is a daemon, nobody waits for it again.
 */
public final class Asked<T> {
  private final long begun = System.nanoTime();
  private final CompletableFuture<Foreign.Result<T>> answer = new CompletableFuture<>();
  private final String what;
  private final Callable<T> code;
  private final Consumer<? super T> late;
  private Thread thread;

  private Asked(String what, Callable<T> code, Consumer<? super T> late) {
    this.what = what;
    this.code = code;
    this.late = late;
  }

  /**
   * Asks.
   *
   * @param what the class that is asked, for the error
   * @param late takes a value that nobody waits for any more, so that what it holds can be given
   *     back; mostly on the thread that was given up
   */
  static <T> Asked<T> begin(String what, Callable<T> code, Consumer<? super T> late) {
    var asked = new Asked<T>(what, code, late);
    asked.thread = Thread.ofPlatform().daemon().name("shunt-asks " + what).unstarted(asked::answer);
    asked.thread.start();
    return asked;
  }

  /** For the caller's own code: it runs on the thread that waits, when that does. */
  static <T> Asked<T> later(String what, Callable<T> code) {
    return new Asked<>(what, code, _ -> {});
  }

  private void answer() {
    var result = Foreign.call(code);
    if (!answer.complete(result)) {
      back(result);
    }
  }

  private void back(Foreign.Result<T> result) {
    if (result.value() != null) {
      Foreign.call(
          () -> {
            late.accept(result.value());
            return null;
          });
    }
  }

  /** What it came to. An interrupt does not end the waiting, and is kept. */
  public Foreign.Result<T> within(Duration limit) {
    if (thread == null) {
      return Foreign.call(code);
    }
    boolean interrupted = waited(limit);
    if (!answer.isDone()) {
      answer.complete(new Foreign.Result<>(null, Unanswered.of(thread, what, limit)));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return answer.join();
  }

  /** Nobody waits for it: what it answered, or answers yet, is given back. */
  public void giveUp() {
    if (thread != null && !answer.complete(new Foreign.Result<>(null, null))) {
      back(answer.join());
    }
  }

  /** Waits until there is an answer, or the limit has passed; says whether it was interrupted. */
  private boolean waited(Duration limit) {
    boolean interrupted = false;
    while (!answer.isDone()) {
      long left = limit.toNanos() - (System.nanoTime() - begun);
      if (left <= 0) {
        break;
      }
      try {
        answer.get(left, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException | TimeoutException over) {
        break;
      }
    }
    return interrupted;
  }
}

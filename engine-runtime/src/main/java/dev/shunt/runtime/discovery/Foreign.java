package dev.shunt.runtime.discovery;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ServiceConfigurationError;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Runs code of others, whatever it throws. */
public final class Foreign {
  private static final int MAX_CAUSES = 6;
  private static final int MAX_TEXT = 600;

  private Foreign() {}

  /** What a call came to: a value, or what was thrown (the other is null). */
  public record Result<T>(T value, Throwable thrown) {}

  /** Calls it. Only what means the end of the whole JVM goes through. */
  public static <T> Result<T> call(Callable<T> code) {
    try {
      return new Result<>(code.call(), null);
    } catch (OutOfMemoryError | InternalError end) {
      throw end;
    } catch (Throwable thrown) {
      if (thrown instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return new Result<>(null, thrown);
    }
  }

  /**
   * Calls it on a thread of its own, which is given up if there is no answer in time: it is a
   * daemon, nobody waits for it again, and what it answers later goes to {@code late}, on that
   * thread.
   *
   * @param what the class that is asked, for the error
   * @param late takes a value that comes too late, so that what it holds can be given back
   */
  public static <T> Result<T> within(
      Duration limit, String what, Callable<T> code, Consumer<? super T> late) {
    var answer = new CompletableFuture<Result<T>>();
    var thread =
        Thread.ofPlatform()
            .daemon()
            .name("shunt-asks " + what)
            .unstarted(() -> run(code, answer, late));
    thread.start();
    boolean interrupted = waited(answer, limit);
    if (!answer.isDone()) {
      answer.complete(new Result<>(null, Unanswered.of(thread, what, limit)));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    try {
      return answer.join();
    } catch (CompletionException end) {
      throw (Error) end.getCause();
    }
  }

  private static <T> void run(
      Callable<T> code, CompletableFuture<Result<T>> answer, Consumer<? super T> late) {
    try {
      var result = call(code);
      if (!answer.complete(result) && result.value() != null) {
        call(
            () -> {
              late.accept(result.value());
              return null;
            });
      }
    } catch (Error end) {
      answer.completeExceptionally(end);
    }
  }

  /** Waits until there is an answer, or the limit has passed; says whether it was interrupted. */
  private static boolean waited(CompletableFuture<?> answer, Duration limit) {
    long start = System.nanoTime();
    boolean interrupted = false;
    while (!answer.isDone()) {
      long left = limit.toNanos() - (System.nanoTime() - start);
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

  /** What was thrown, with its causes, on one line. */
  public static String text(Throwable thrown) {
    var text = new StringBuilder();
    var cause = innermostOfWrappers(thrown);
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      text.append(i == 0 ? "" : ", caused by ").append(one(cause));
      cause = cause.getCause() == cause ? null : cause.getCause();
    }
    var line = text.toString().replaceAll("\\s+", " ");
    return line.length() <= MAX_TEXT ? line : line.substring(0, MAX_TEXT) + "...";
  }

  private static Throwable innermostOfWrappers(Throwable thrown) {
    var cause = thrown;
    for (int i = 0; i < MAX_CAUSES && isWrapper(cause) && cause.getCause() != null; i++) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown instanceof ServiceConfigurationError
        || thrown instanceof InvocationTargetException;
  }

  private static String one(Throwable thrown) {
    var message = call(thrown::getMessage).value();
    if (thrown instanceof Unanswered) {
      return message;
    }
    var name = thrown.getClass().getName();
    return message == null || message.isBlank() ? name : name + ": " + message;
  }
}

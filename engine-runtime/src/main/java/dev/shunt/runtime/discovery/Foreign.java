package dev.shunt.runtime.discovery;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ServiceConfigurationError;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Runs code of others, whatever it throws. */
public final class Foreign {
  private static final int MAX_CAUSES = 6;
  private static final int MAX_TEXT = 600;

  private Foreign() {}

  /** What a call came to: a value, or what was thrown (the other is null). */
  public record Result<T>(T value, Throwable thrown) {}

  /**
   * Calls it. Nothing goes through, not even what speaks of the end of the JVM: whoever asks for an
   * array that no heap holds gets such an error, too, and if it is true, others will meet it.
   */
  public static <T> Result<T> call(Callable<T> code) {
    try {
      return new Result<>(code.call(), null);
    } catch (Throwable thrown) {
      if (thrown instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return new Result<>(null, thrown);
    }
  }

  /**
   * Calls it on a thread of its own, for as long as it may; see {@link Asked}.
   *
   * @param what the class that is asked, for the error
   * @param late takes a value that comes too late, so that what it holds can be given back
   */
  public static <T> Result<T> within(
      Duration limit, String what, Callable<T> code, Consumer<? super T> late) {
    return Asked.begin(what, code, late).within(limit);
  }

  /** What was thrown, with its causes, on one line. */
  public static String text(Throwable thrown) {
    var text = new StringBuilder();
    var cause = innermostOfWrappers(thrown);
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      text.append(i == 0 ? "" : ", caused by ").append(one(cause));
      var next = call(cause::getCause).value();
      cause = next == cause ? null : next;
    }
    var line = text.toString().replaceAll("\\s+", " ");
    return line.length() <= MAX_TEXT ? line : line.substring(0, MAX_TEXT) + "...";
  }

  private static Throwable innermostOfWrappers(Throwable thrown) {
    var cause = thrown;
    for (int i = 0; i < MAX_CAUSES && isWrapper(cause); i++) {
      var next = call(cause::getCause).value();
      cause = next == null ? cause : next;
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

package dev.shunt.runtime.discovery;

import java.lang.reflect.InvocationTargetException;
import java.util.ServiceConfigurationError;
import java.util.concurrent.Callable;

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
    var name = thrown.getClass().getName();
    return message == null || message.isBlank() ? name : name + ": " + message;
  }
}

package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.util.Arrays;

/** Errors of the JVM, as what they mean to whoever gave the command. */
final class Defects {
  private Defects() {}

  /** The failure that an error amounts to. */
  static ShuntException of(Error thrown) {
    return switch (thrown) {
      case OutOfMemoryError e -> Memory.heap(e);
      case StackOverflowError e when readsConfiguration(e) ->
          new ShuntException(
              FailureCode.CONFIGURATION,
              "the configuration is nested too deeply to be read; take sections out of each other",
              e);
      case StackOverflowError e ->
          new ShuntException(
              FailureCode.INTERNAL, "the stack of a thread was not enough for the command", e);
      default -> new ShuntException(FailureCode.INTERNAL, "unexpected: " + thrown, thrown);
    };
  }

  private static boolean readsConfiguration(Throwable thrown) {
    return Arrays.stream(thrown.getStackTrace())
        .map(StackTraceElement::getClassName)
        .anyMatch(
            name ->
                name.startsWith("com.typesafe.config.")
                    || name.startsWith("dev.shunt.runtime.config."));
  }
}

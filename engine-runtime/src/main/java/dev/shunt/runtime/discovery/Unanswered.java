package dev.shunt.runtime.discovery;

import java.time.Duration;

/** Code of others gave no answer in time. The message tells where it stood. */
final class Unanswered extends Exception {
  private static final long serialVersionUID = 1L;

  private Unanswered(String message) {
    super(message, null, false, false);
  }

  /**
   * Of a thread that runs it still.
   *
   * @param what the class that was asked
   */
  static Unanswered of(Thread thread, String what, Duration limit) {
    var stack = thread.getStackTrace();
    var where = new StringBuilder(what).append(" did not answer within ").append(text(limit));
    if (stack.length > 0) {
      where.append("; it stands in ").append(stack[0]);
      // The top is often the JDK's; what is worth a look is who went there.
      for (var frame : stack) {
        if (!ofJdk(frame)) {
          where.append(frame == stack[0] ? "" : ", called from " + frame);
          break;
        }
      }
    }
    return new Unanswered(where.toString());
  }

  private static boolean ofJdk(StackTraceElement frame) {
    var module = frame.getModuleName();
    return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
  }

  private static String text(Duration limit) {
    return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
  }
}

package dev.shunt.runtime.discovery;

import java.lang.module.ModuleFinder;
import java.util.Optional;
import java.util.regex.Pattern;

/** What was thrown by a plug-in, and what would help where that is known. */
public final class Remedies {
  private static final int MAX_CAUSES = 6;
  private static final Pattern NATIVE = Pattern.compile("[Nn]ative access from module (\\S+)");
  private static final Pattern MODULE = Pattern.compile("Module (\\S+) not found");
  private static final Pattern CLASS = Pattern.compile("^(?:javax?|jdk|com/sun|sun)[./]\\S+$");

  private Remedies() {}

  /** What was thrown, with its causes, on one line; then what would help. */
  public static String text(Throwable thrown) {
    var text = Foreign.text(thrown);
    return remedy(thrown).map(remedy -> text + "; " + remedy).orElse(text);
  }

  private static Optional<String> remedy(Throwable thrown) {
    var cause = thrown;
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      var found = one(cause);
      if (found.isPresent()) {
        return found;
      }
      cause = Foreign.call(cause::getCause).value();
    }
    return Optional.empty();
  }

  private static Optional<String> one(Throwable thrown) {
    // The message may be made by foreign code, too.
    var message = Foreign.call(thrown::getMessage).value();
    if (message == null) {
      return Optional.empty();
    }
    var access = NATIVE.matcher(message);
    if (access.find()) {
      return Optional.of(nativeAccess(access.group(1)));
    }
    var module = MODULE.matcher(message);
    if (module.find()) {
      return Optional.of(missingModule(module.group(1)));
    }
    return thrown instanceof LinkageError && CLASS.matcher(message.strip()).matches()
        ? Optional.of(
            "that is a class of the JDK, and this runtime does not hold its module; an image that"
                + " does is built with -Dimage.jdk.modules")
        : Optional.empty();
  }

  private static String nativeAccess(String module) {
    return module.equals(Remedies.class.getModule().getName())
        ? "to hand native access on, the engine needs it: start the JVM with"
            + " --enable-native-access="
            + module
        : "native code is called only by modules that configuration names:"
            + " shunt.plugins.native-access = ["
            + module
            + "]";
  }

  private static String missingModule(String module) {
    if (!module.matches("(java|jdk)\\..*")) {
      return "a plug-in that needs other jars is a folder that holds them all";
    }
    return ModuleFinder.ofSystem().find(module).isPresent()
        ? "the JVM that runs this has it, and was not told to use it: start it with --add-modules "
            + module
        : "that is a module of the JDK which this image does not hold; one that does is built with"
            + " -Dimage.jdk.modules (see README.md, \"Images\")";
  }
}

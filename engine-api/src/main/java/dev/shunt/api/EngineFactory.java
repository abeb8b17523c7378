package dev.shunt.api;

import com.typesafe.config.Config;
import java.util.ServiceLoader;

/** Makes engines; {@code provided} by the runtime's module. */
public interface EngineFactory {
  /**
   * The one that is installed.
   *
   * @throws ShuntException with CONFIGURATION if there is none, or more than one
   */
  static EngineFactory installed() {
    var found =
        ServiceLoader.load(EngineFactory.class, EngineFactory.class.getClassLoader()).stream()
            .toList();
    if (found.size() != 1) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          found.size()
              + " engine runtimes found; put the module dev.shunt.runtime on the module path, once");
    }
    return found.getFirst().get();
  }

  /** See {@link Engine#open}. */
  Engine open(Config config);

  /** Builds one in code. */
  EngineBuilder builder();
}

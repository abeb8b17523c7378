package dev.shunt.runtime.discovery;

import dev.shunt.api.spi.Provider;
import java.util.function.Supplier;

/** Something that calls itself a provider, before any of its code has run. */
sealed interface Candidate {
  Origin origin();

  /**
   * Its class could be loaded.
   *
   * @param inCode whether the caller handed it over
   */
  record Loaded(
      Kind kind,
      Class<?> type,
      Supplier<? extends Provider> instance,
      Origin origin,
      boolean inCode)
      implements Candidate {}

  /** Its class could not be loaded. */
  record Broken(Kind kind, String className, Origin origin, String cause) implements Candidate {}

  /** A jar or folder that could not be read. */
  record Unreadable(String name, Origin origin, String cause) implements Candidate {}

  static Candidate given(Kind kind, Provider provider) {
    var type = provider.getClass();
    return new Loaded(kind, type, () -> provider, Origin.inCode(type), true);
  }
}

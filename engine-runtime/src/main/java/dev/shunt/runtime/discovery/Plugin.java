package dev.shunt.runtime.discovery;

import dev.shunt.api.Status;
import java.util.Optional;

/**
 * A provider that was found, and what became of it.
 *
 * @param kind what it is for; empty for a jar of which not even that could be told
 * @param id its id, or its class, or the jar's name, whichever could be told
 * @param version its version, or an empty text
 * @param origin where it comes from
 * @param state what became of it
 * @param cause why it is not active, on one line, or an empty text
 */
public record Plugin(
    Optional<Kind> kind, String id, String version, Origin origin, State state, String cause) {
  /** What became of a provider. */
  public enum State {
    /** It is in use. */
    ACTIVE,
    /** It works, and is not wanted. */
    DISABLED,
    /** It works, and configuration keeps it out by its id. */
    EXCLUDED,
    /** It does not work; the cause tells why. */
    FAILED
  }

  static Plugin failed(Kind kind, String id, Origin origin, String cause) {
    return new Plugin(Optional.of(kind), id, "", origin, State.FAILED, cause);
  }

  Plugin as(State state, String cause) {
    return new Plugin(kind, id, version, origin, state, cause);
  }

  /** As the API shows it. */
  public Status.Plugin status() {
    return new Status.Plugin(
        kind.map(Kind::label).orElse("plugin"),
        id,
        version,
        origin.toString(),
        state.name(),
        cause);
  }

  /** On one line. */
  public String describe() {
    var text = kind.map(k -> k.label() + " ").orElse("") + id + " of " + origin + ": " + state;
    return cause.isEmpty() ? text : text + ", " + cause;
  }
}

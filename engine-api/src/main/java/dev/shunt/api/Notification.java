package dev.shunt.api;

import java.util.Objects;

/**
 * A named message to a peer. Both texts travel as UTF-8.
 *
 * @param name what it is about
 * @param message the rest
 */
public record Notification(String name, String message) {
  /** Nothing may be null. */
  public Notification {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(message, "message");
  }
}

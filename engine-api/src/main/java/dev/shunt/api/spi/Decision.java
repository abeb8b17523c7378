package dev.shunt.api.spi;

import dev.shunt.api.FailureCode;

/** What becomes of a slice that failed. */
public sealed interface Decision {
  /** Another local rail; remote rail, address and key stay. */
  record HandOff() implements Decision {}

  /** Another remote rail, with its key. */
  record Redispatch() implements Decision {}

  /** The same path again, after a pause in nanoseconds. */
  record Retry(long delay) implements Decision {}

  /** Another transport. */
  record NextTransport() implements Decision {}

  /** The end, with what to tell the caller. */
  record GiveUp(FailureCode code, String reason) implements Decision {}
}

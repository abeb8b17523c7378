package dev.shunt.api.spi;

import dev.shunt.api.FailureCode;
import java.util.Optional;

/**
 * Why a node refused what another asked of it over the control plane, for machines. The names are
 * those of the wire; they go beside the texts where both sides agreed on {@link #CAPABILITY_ID}.
 * Constants may be added; their names stay.
 */
public enum Refusal {
  /** The request cannot be read, or says something that cannot be. */
  MALFORMED(FailureCode.PROTOCOL),
  /** What names the asked rail is no path, or that of another node. */
  WRONG_PATH(FailureCode.CONNECTION),
  /** There is no rail of that name here. */
  RAIL_NOT_FOUND(FailureCode.CONNECTION),
  /** There is no endpoint to be had now: the rail is inactive, or lacks what one takes. */
  ENDPOINT_UNAVAILABLE(FailureCode.CONNECTION),
  /** An older endpoint made room, and still there is no new one to be had. */
  FRESH_ENDPOINT_UNAVAILABLE(FailureCode.CONNECTION),
  /** That link was refused by word, and is over. */
  FENCED(FailureCode.CONNECTION),
  /** Another process of this node was asked for. */
  STALE_GENERATION(FailureCode.STALE_GENERATION),
  /** The asking node lacks a capability that is required here. */
  CAPABILITY(FailureCode.CAPABILITY),
  /** No such transport runs here. */
  TRANSPORT_NOT_FOUND(FailureCode.UNSUPPORTED),
  /** It cannot be done at this time; ask again later. */
  NOT_NOW(FailureCode.BUSY),
  /** The node ends. */
  CLOSING(FailureCode.CLOSED),
  /** No buffer has the whole range. */
  RANGE(FailureCode.REMOTE_RANGE),
  /** The buffer does not allow that. */
  ACCESS(FailureCode.REMOTE_ACCESS),
  /** More bytes than are taken in one request. */
  TOO_LONG(FailureCode.RESOURCE);

  /** The capability by which they are told. */
  public static final String CAPABILITY_ID = "control.error_reply";

  private final FailureCode failure;

  Refusal(FailureCode failure) {
    this.failure = failure;
  }

  /** What it means to an application. */
  public FailureCode failure() {
    return failure;
  }

  /** The one of a name; empty if there is none, as a later version may have more. */
  public static Optional<Refusal> named(String name) {
    for (var refusal : values()) {
      if (refusal.name().equals(name)) {
        return Optional.of(refusal);
      }
    }
    return Optional.empty();
  }

  /** The one that a text begins with, before a colon. */
  public static Optional<Refusal> leading(String text) {
    var colon = text.indexOf(": ");
    return colon < 1 ? Optional.empty() : named(text.substring(0, colon));
  }
}

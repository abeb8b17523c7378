package dev.shunt.transport.tcp.core;

/** Why a responder ended a stream. */
public enum Bye {
  /** Not used on the wire. */
  NONE("no reason"),
  /** A header's CRC is wrong, or its flags unknown. */
  BAD_HEADER("a damaged frame header"),
  /** No request has that type. */
  BAD_TYPE("an unknown type of frame"),
  /** Ids count up by one. */
  OUT_OF_ORDER("a request out of order"),
  /** Longer than granted. */
  BAD_LENGTH("a length beyond what was granted"),
  /** A link of another generation, or the stream's own. */
  BAD_FENCE("a fence for a link that is not the requester's to fence"),
  /** Nothing came, or went, for too long. */
  NO_PROGRESS("no progress within the limit"),
  /** The node, or the rail, closes. */
  CLOSING("the node closes"),
  /** A defect. */
  INTERNAL("an internal error"),
  /** Nothing was heard of the requester for much longer than it promised. */
  SILENT("nothing was heard of this node for too long"),
  /** More requests than granted are unanswered. */
  TOO_MANY("more requests at once than were granted"),
  /** A reason of a later version. */
  UNKNOWN("an unknown reason");

  private static final Bye[] ALL = values();

  private final String text;

  Bye(String text) {
    this.text = text;
  }

  /** In words. */
  public String text() {
    return text;
  }

  int code() {
    return ordinal();
  }

  static Bye of(int code) {
    return ALL[Math.min(code, UNKNOWN.ordinal())];
  }
}

package dev.shunt.runtime.transfer.core;

import dev.shunt.api.spi.LinkId;

/** A link that failed with writes of unknown end: until it is fenced their redo is not complete. */
public final class StaleLink {
  final LinkId id;
  int users;
  boolean fenced;

  /**
   * The grace has passed, where nobody gives a word: enough for what is not redone. A redo goes
   * behind a fence on its own stream all the same.
   */
  boolean outwaited;

  boolean asked;
  boolean byWord;
  int refusals;
  long askAgainAt;
  long endedAt;

  StaleLink(LinkId id) {
    this.id = id;
  }

  /** Whether nothing of it is feared any more by what is not redone. */
  boolean over() {
    return fenced || outwaited;
  }

  /** Its name on both sides. */
  public LinkId id() {
    return id;
  }
}

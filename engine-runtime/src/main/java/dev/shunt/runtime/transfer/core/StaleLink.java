package dev.shunt.runtime.transfer.core;

import dev.shunt.api.spi.LinkId;

/** A link that failed with writes of unknown end: until it is fenced their redo is not complete. */
public final class StaleLink {
  final LinkId id;
  int users;
  boolean fenced;
  boolean asked;
  boolean byWord;
  int refusals;
  long askAgainAt;
  long endedAt;

  StaleLink(LinkId id) {
    this.id = id;
  }

  /** Its name on both sides. */
  public LinkId id() {
    return id;
  }
}

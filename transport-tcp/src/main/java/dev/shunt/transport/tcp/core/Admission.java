package dev.shunt.transport.tcp.core;

/**
 * Decides who may send requests to this node.
 *
 * @param generation of this node
 * @param rail that was connected to
 * @param depth the most requests that may be unanswered
 * @param longest the longest payload
 */
public record Admission(long generation, int rail, int depth, long longest) {
  /**
   * Answers a preamble.
   *
   * @param fenced whether the link was fenced
   * @param known whether the link is up
   * @param full whether there is no place for another stream
   * @param left how many requests the peer may leave unanswered besides those that it may already;
   *     0 if it may have no other stream
   */
  public Answer decide(Preamble asked, boolean fenced, boolean known, boolean full, int left) {
    var status = status(asked, fenced, known, full, left);
    if (status != Answer.Status.WELCOME) {
      return Answer.of(status, generation);
    }
    return new Answer(
        Preamble.VERSION,
        Preamble.LOWEST,
        asked.flags() & Frame.CHECKSUM,
        status,
        Math.min(Math.min(asked.depth(), depth), left),
        generation,
        Math.min(asked.longest(), longest));
  }

  private Answer.Status status(
      Preamble asked, boolean fenced, boolean known, boolean full, int left) {
    if (asked.version() < Preamble.LOWEST || asked.version() > Preamble.VERSION) {
      return Answer.Status.VERSION;
    }
    if (!asked.sound()) {
      return Answer.Status.MALFORMED;
    }
    if (asked.expected() != 0 && asked.expected() != generation) {
      return Answer.Status.STALE_GENERATION;
    }
    if (asked.rail() != rail) {
      return Answer.Status.WRONG_RAIL;
    }
    if (fenced) {
      return Answer.Status.FENCED;
    }
    if (known) {
      return Answer.Status.DUPLICATE;
    }
    if (left < 1) {
      // Version 1 has no word for it.
      return asked.version() == 1 ? Answer.Status.BUSY : Answer.Status.CROWDED;
    }
    return full ? Answer.Status.BUSY : Answer.Status.WELCOME;
  }
}

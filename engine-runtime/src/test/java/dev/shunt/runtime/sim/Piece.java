package dev.shunt.runtime.sim;

/** One request of a story, and what is to come of it. */
final class Piece {
  /** What kind of request it is. */
  enum Kind {
    GOOD,
    EMPTY,
    WRONG
  }

  final Kind kind;
  final boolean write;
  final SimNode from;
  final Place to;
  final long generation;
  final long generationThen;
  final int at;
  final int length;
  final int localAt;

  /** Other bytes than those of one write may be there, or come. */
  boolean disturbed;

  boolean open = true;

  /**
   * A request.
   *
   * @param generation that the segment was opened with
   * @param at where it begins in the target's memory
   * @param localAt where it begins in the source's memory
   */
  Piece(
      Kind kind,
      boolean write,
      SimNode from,
      Place to,
      long generation,
      int at,
      int length,
      int localAt) {
    this.kind = kind;
    this.write = write;
    this.from = from;
    this.to = to;
    this.generation = generation;
    this.generationThen = to.generation();
    this.at = at;
    this.length = length;
    this.localAt = localAt;
  }

  boolean overlaps(int otherAt, int otherLength) {
    return at < otherAt + otherLength && otherAt < at + length;
  }

  /** Whether it is for a process of that generation: without one it is for whoever is there. */
  boolean means(long other) {
    return generation == 0 || generation == other;
  }

  /** Whether the process that it was meant for still lives. */
  boolean targetLives() {
    return generation == 0 || (to.generation() == generation && generationThen == generation);
  }

  @Override
  public String toString() {
    return (write ? "write " : "read ")
        + from
        + (write ? " -> " : " <- ")
        + to
        + " ["
        + at
        + ", +"
        + length
        + ")";
  }
}

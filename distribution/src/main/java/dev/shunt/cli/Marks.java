package dev.shunt.cli;

import java.util.List;

/**
 * What happened while a benchmark ran, as far as it is known.
 *
 * @param list in the order of time
 * @param more how many came that are too many to be listed
 * @param problem why nothing is known; empty if something is
 */
record Marks(List<Mark> list, long more, String problem) {
  /** Nobody looked. */
  static final Marks NONE = new Marks(List.of(), 0, "nobody looked");
}

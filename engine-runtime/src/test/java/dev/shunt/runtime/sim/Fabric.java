package dev.shunt.runtime.sim;

import dev.shunt.api.spi.TransportProvider;
import java.util.List;
import java.util.Map;

/** A transport under test with the lowest seam below it, in one world. */
interface Fabric {
  /** The transport's id. */
  String id();

  /**
   * Values for its section of the configuration.
   *
   * @param addresses the node's
   * @param sameAgain whether a process is reached where the one before it was
   */
  Map<String, Object> config(List<String> addresses, boolean sameAgain);

  /**
   * Whether writes get over a fault also towards a peer that is not asked for a fence by word, or
   * end by their deadline then.
   */
  boolean fencesByItself();

  /** The production provider over the seam of a node's new process. */
  TransportProvider provider(SimNode node);

  /** How often a write may end unknown to anybody though all is well by now. */
  default int unknowns() {
    return 0;
  }

  /** Whether what nodes reach takes notifications. */
  default boolean notifies() {
    return true;
  }

  /** What nodes reach, where it is not one another. */
  default List<? extends Place> places() {
    return List.of();
  }

  /** What a fabric's own parts have to say at the end. */
  default void reckon() {}

  /** What can go wrong on it. */
  List<Trouble> troubles();

  /** What can go wrong with a node's own rail, so that the node knows of it. */
  default List<OwnTrouble> ownTroubles() {
    return List.of();
  }

  /** Whether a node's rails have the numbers of its host's, whatever is left out at its start. */
  default boolean numbersItsRails() {
    return true;
  }

  /** Whether a transport hears what becomes of its own rails. */
  default boolean knowsItsRails(String transport) {
    return false;
  }

  /** All that went wrong is mended. */
  void heal();

  /** What this fabric's seeds have to meet. */
  java.util.Set<Mark> marks();
}

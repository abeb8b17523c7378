package dev.shunt.runtime.sim;

import dev.shunt.api.sim.SimHost;

/** What requests of nodes go to: the memory of another node, or a storage target. */
interface Place {
  /** Its place among all that a cluster's nodes open. */
  int index();

  /** By what name nodes open it. */
  String segment();

  /** Its process' generation; 0 for what tells none. */
  long generation();

  /** Its memory. */
  Ground ground();

  /** The first byte of its memory, as requests name it. */
  long address();

  /** Requests to it are multiples of that. */
  int block();

  /** How many buffers it lets others reach now. */
  int buffers();

  /** How often its process registered memory. */
  int registered();

  /** Whether somebody's write is just being applied to a range. */
  boolean holdsForWriting(int at, int length);

  /** Whether its process runs. */
  boolean alive();

  /** Whether its process is frozen. */
  boolean frozen();

  /** Stops its process. */
  void freeze();

  /** Lets its process go on. */
  void thaw();

  /** Where it runs. */
  SimHost host();
}

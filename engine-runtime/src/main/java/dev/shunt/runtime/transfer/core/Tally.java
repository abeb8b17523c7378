package dev.shunt.runtime.transfer.core;

/** Where a lane's machines count. */
@FunctionalInterface
public interface Tally {
  /** Adds to a counter; a negative amount takes away. */
  void add(Counter counter, long amount);
}

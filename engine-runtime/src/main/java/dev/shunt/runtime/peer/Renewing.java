package dev.shunt.runtime.peer;

import java.util.function.LongSupplier;

/**
 * Where this node is told of changes, and how long it goes by what it knows.
 *
 * @param address {@code host:port} of its own control plane
 * @param clock monotonic nanoseconds
 * @param keep how long a descriptor is kept, in nanoseconds
 * @param patience how long its renewal may take, in nanoseconds
 * @param probe how long a node may take to say that it is there, in nanoseconds
 */
public record Renewing(String address, LongSupplier clock, long keep, long patience, long probe) {
  long now() {
    return clock.getAsLong();
  }
}

package dev.shunt.runtime.transport;

import dev.shunt.api.spi.RegionKey;
import java.lang.foreign.MemorySegment;

/**
 * Where a check of one rail puts what it reads.
 *
 * @param key of the memory, on that rail
 * @param memory of one registration
 * @param offset of the place of the rail's own in it
 */
public record EchoRoom(RegionKey key, MemorySegment memory, long offset) {
  /** So many places has each rail: an echo that never ends keeps one. */
  public static final int PLACES = 16;
}

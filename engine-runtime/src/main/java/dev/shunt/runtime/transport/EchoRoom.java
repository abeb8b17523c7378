package dev.shunt.runtime.transport;

import dev.shunt.api.spi.RegionKey;
import java.lang.foreign.MemorySegment;

/**
 * Where a check of one rail puts what it reads.
 *
 * @param key of the memory, on that rail
 * @param memory of one registration
 * @param offset of the rail's own part in it
 */
public record EchoRoom(RegionKey key, MemorySegment memory, long offset) {}

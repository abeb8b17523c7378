package dev.shunt.api.spi;

import java.lang.foreign.MemorySegment;

/**
 * One piece of a request, as a channel carries it. The runtime owns and reuses these objects: a
 * transport keeps one from {@link Channel#post} until it reported it, and no longer. Its content
 * does not change meanwhile.
 */
public interface Slice {
  /** Whether local bytes go to the remote; otherwise remote bytes come here. */
  boolean write();

  /** The memory of the local registration: the same object for all its slices. */
  MemorySegment memory();

  /** Where the slice begins in {@link #memory()}. */
  long offset();

  /** Bytes, 1 or more, no more than {@link Limits#maxSlice()}. */
  long length();

  /** The local registration on the channel's own rail. */
  RegionKey localKey();

  /** The first byte at the remote: an address of a node's memory, an offset into a target. */
  long remoteAddress();

  /** The remote's key for the channel's remote rail; 0 for a target. */
  long remoteKey();

  /**
   * When it is given up, on the clock of {@link TransportContext#now()}. The runtime watches it.
   */
  long deadline();
}

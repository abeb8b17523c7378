package dev.shunt.api;

import java.util.List;

/**
 * The memory of a remote. Stays usable while the remote is the same process; then requests end with
 * STALE_GENERATION, and it is opened again by its name. A plain TENT peer does not tell one process
 * from the next: its segment goes on with whatever listens there, as far as that has the ranges.
 *
 * <p>Any thread may use it; it needs no closing.
 */
public interface Segment {
  /** Its name. */
  String name();

  /** A node's generation; 0 if it tells none, and for a target. */
  long generation();

  /** Addresses and lengths are multiples of it: 1 for a node's memory, a block for a target. */
  int blockSize();

  /**
   * What can be read or written, as the remote described itself last: another list may be there
   * once it has registered memory, or let go of some. One list does not change.
   */
  List<RemoteBuffer> buffers();

  /**
   * A range at the remote.
   *
   * @param address the first byte, as requests name it
   * @param length bytes
   * @param access what the remote allows
   */
  record RemoteBuffer(long address, long length, Access access) {}
}

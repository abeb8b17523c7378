package dev.shunt.api.spi;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * A byte stream, in order, that never blocks. Owned by its loop's thread. Its place is also where
 * encryption goes: a loop may wrap its streams, and nothing above changes.
 */
public interface Wire {
  /**
   * Reads what is there, straight into memory.
   *
   * @param into long-lived memory: the loop keeps a view of it, so pass the same object again
   * @return the bytes read; 0 if nothing is there; -1 if the other side ended the stream
   * @throws WireException if the stream broke
   */
  long read(MemorySegment into, long offset, long length);

  /**
   * Writes what fits, straight from memory.
   *
   * @param from long-lived memory, as for {@link #read}
   * @return the bytes taken, 0 or more
   * @throws WireException if the stream broke
   */
  long write(MemorySegment from, long offset, long length);

  /** Which events the handler is called for. At first: reading yes, writing no. */
  void interest(boolean read, boolean write);

  /** Our end; the port is the real one. */
  InetSocketAddress local();

  /** The other end. */
  InetSocketAddress remote();

  /** Closes it; what was written before still goes out. No handler is called any more. */
  void close();

  /** Closes it and drops what did not go out yet. */
  void abort();
}

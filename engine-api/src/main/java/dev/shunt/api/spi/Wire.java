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
   * @param into long-lived memory, of any length: the loop keeps a view of it, so pass the same
   *     object with another offset rather than a slice of it
   * @param length as long as it likes to be, also above 2 GiB: one call may move less
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

  /**
   * Which events the handler is called for. At first: reading yes, writing no. Level-triggered:
   * each {@link WireLoop#poll} calls the handler as long as there is something to read, or room to
   * write, and that is of interest. So a handler may leave bytes where they are and is called
   * again; one that has nothing to write takes its interest back. A stream that broke counts as
   * ready for both; with no interest its end goes unnoticed.
   */
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

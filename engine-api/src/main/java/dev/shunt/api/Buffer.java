package dev.shunt.api;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** A registered range of this node's memory. All methods may be called on any thread. */
public interface Buffer {
  /** Where the memory of a host lies whose nodes of memory nobody tells apart. */
  String HOST = "cpu:0";

  /** Memory that is near to no rail in particular. */
  String ANYWHERE = "*";

  /** The memory. */
  MemorySegment memory();

  /** Where it lies, as it was registered. */
  String location();

  /** Its first byte's address, by which remotes name it. */
  long address();

  /** Bytes. */
  long length();

  /** What remotes may do. */
  Access access();

  /** What it is now. */
  State state();

  /**
   * Ends the registration: peers' keys for it are void from here on. Waits until no transfer that
   * used it is draining and no peer's request is being applied to it.
   *
   * @param timeout how long to wait
   * @return true once it is over; false if something still holds it: it stays registered for that
   *     something alone, takes nothing new, and may be unregistered again
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  boolean unregister(Duration timeout) throws InterruptedException;

  /** A buffer's life. */
  enum State {
    /** In use. */
    REGISTERED,
    /** No new use; something that began before still holds it. */
    DRAINING,
    /** Over: the memory is the caller's alone. */
    UNREGISTERED
  }
}

package dev.shunt.api.contract;

import java.lang.foreign.MemorySegment;

/** What transfers write and read, as the test looks at it behind the transport's back. */
public interface RemoteMemory {
  /** The first byte, as slices name it. */
  long address();

  /** Bytes. */
  long length();

  /** Addresses and lengths are multiples of it. */
  int block();

  /** The key for a rail of the remote. */
  long key(int rail);

  /** Looks at it. */
  void copyOut(long offset, MemorySegment into);

  /** Changes it. */
  void copyIn(long offset, MemorySegment from);
}

package dev.shunt.runtime.peer;

import dev.shunt.api.Segment;
import java.util.List;

/** A segment as it was when it was opened. */
public final class SegmentHandle implements Segment {
  private final Object owner;
  private final String name;
  private final int blockSize;
  private final List<RemoteBuffer> buffers;
  private final long[][] keys;
  private final RemoteState state;

  /**
   * A segment.
   *
   * @param owner the engine that opened it
   * @param keys for each buffer its keys by remote rail
   */
  SegmentHandle(
      Object owner,
      String name,
      int blockSize,
      List<RemoteBuffer> buffers,
      long[][] keys,
      RemoteState state) {
    this.owner = owner;
    this.name = name;
    this.blockSize = blockSize;
    this.buffers = List.copyOf(buffers);
    this.keys = keys;
    this.state = state;
  }

  /** Whether an engine opened it. */
  public boolean ownedBy(Object engine) {
    return owner == engine;
  }

  /** What is known of the remote. */
  public RemoteState state() {
    return state;
  }

  /** The buffer that holds a whole range, or -1. */
  public int covering(long address, long length) {
    for (int i = 0; i < buffers.size(); i++) {
      var buffer = buffers.get(i);
      var from = address - buffer.address();
      if (from >= 0 && from <= buffer.length() && length <= buffer.length() - from) {
        return i;
      }
    }
    return -1;
  }

  /** The keys of a buffer, by remote rail. */
  public long[] keys(int buffer) {
    return keys[buffer];
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long generation() {
    return state.generation();
  }

  @Override
  public int blockSize() {
    return blockSize;
  }

  @Override
  public List<RemoteBuffer> buffers() {
    return buffers;
  }

  @Override
  public String toString() {
    return "segment " + name + " of generation " + generation();
  }
}

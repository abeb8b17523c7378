package dev.shunt.runtime.peer;

import dev.shunt.api.Segment;
import java.util.List;

/** A segment that was opened: the name of a remote's memory, as what is known of it renews. */
public final class SegmentHandle implements Segment {
  private final Object owner;
  private final String name;
  private final int blockSize;
  private final RemoteState state;

  /**
   * A segment.
   *
   * @param owner the engine that opened it
   */
  SegmentHandle(Object owner, String name, int blockSize, RemoteState state) {
    this.owner = owner;
    this.name = name;
    this.blockSize = blockSize;
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
    return state.view().buffers();
  }

  @Override
  public String toString() {
    return "segment " + name + " of generation " + generation();
  }
}

package dev.shunt.transport.rdma.verbs;

import java.lang.foreign.MemorySegment;

/** An {@code ibv_mr}. */
final class FfmRegion implements VerbsRegion {
  private final FfmLibrary library;
  private final MemorySegment mr;
  private final int lkey;
  private final int rkey;
  private boolean closed;

  FfmRegion(FfmLibrary library, MemorySegment mr) {
    this.library = library;
    this.mr = mr;
    lkey = FfmCall.intAt(this.mr, Layouts.MR_LKEY);
    rkey = FfmCall.intAt(this.mr, Layouts.MR_RKEY);
  }

  @Override
  public int lkey() {
    return lkey;
  }

  @Override
  public int rkey() {
    return rkey;
  }

  @Override
  public int close() {
    if (closed) {
      return 0;
    }
    int error = FfmCall.error(library, "ibv_dereg_mr", mr);
    closed = error == 0;
    return error;
  }
}

package dev.shunt.transport.rdma.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An {@code ibv_cq}; completions are read where {@code ibv_poll_cq} left them. */
@SuppressWarnings("restricted")
final class FfmCq implements VerbsCq {
  private static final int BATCH = 16;

  private final FfmLibrary library;
  private final MemorySegment poll;
  private final MemorySegment cq;
  private final int depth;
  private boolean closed;
  private final MemorySegment completions = Arena.ofAuto().allocate(BATCH * Layouts.WC_SIZE, 8);

  FfmCq(FfmLibrary library, MemorySegment poll, MemorySegment cq) {
    this.library = library;
    this.poll = poll;
    this.cq = cq;
    depth = FfmCall.intAt(this.cq, Layouts.CQ_CQE);
  }

  MemorySegment pointer() {
    return cq;
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public boolean polled() {
    return true;
  }

  @Override
  public int poll() {
    try {
      return (int) FfmDataPath.POLL.invokeExact(poll, cq, BATCH, completions);
    } catch (Throwable t) {
      throw FfmCall.thrown(t);
    }
  }

  @Override
  public long wrId(int index) {
    return completions.get(JAVA_LONG, index * Layouts.WC_SIZE + Layouts.WC_WR_ID);
  }

  @Override
  public int status(int index) {
    return completions.get(JAVA_INT, index * Layouts.WC_SIZE + Layouts.WC_STATUS);
  }

  @Override
  public int vendorError(int index) {
    return completions.get(JAVA_INT, index * Layouts.WC_SIZE + Layouts.WC_VENDOR_ERR);
  }

  @Override
  public int length(int index) {
    return completions.get(JAVA_INT, index * Layouts.WC_SIZE + Layouts.WC_BYTE_LEN);
  }

  @Override
  public int qpNumber(int index) {
    return completions.get(JAVA_INT, index * Layouts.WC_SIZE + Layouts.WC_QP_NUM);
  }

  @Override
  public int close() {
    if (closed) {
      return 0;
    }
    int error = FfmCall.error(library, "ibv_destroy_cq", cq);
    closed = error == 0;
    return error;
  }
}

package dev.shunt.runtime.peer;

import dev.shunt.api.Segment.RemoteBuffer;
import dev.shunt.runtime.transfer.core.RailOrder;
import java.util.List;

/**
 * What a remote's descriptor, as it was read last, says of its memory. Immutable: a newer one takes
 * its place as a whole, so that buffers and keys always fit together.
 */
public final class RemoteView {
  private final List<RemoteBuffer> buffers;
  private final long[][][] keys;
  private final RailOrder[][] orders;
  private final boolean listsRdma;

  /**
   * A view.
   *
   * @param keys for each buffer, and each way to the remote, its keys by remote rail; null where
   *     that way does not reach it
   * @param orders for each buffer, and each way, the order of the remote's rails for it; null where
   *     all are alike
   * @param listsRdma whether a buffer can be reached over RDMA, so that the remote has it
   */
  RemoteView(List<RemoteBuffer> buffers, long[][][] keys, RailOrder[][] orders, boolean listsRdma) {
    this.buffers = List.copyOf(buffers);
    this.keys = keys;
    this.orders = orders;
    this.listsRdma = listsRdma;
  }

  /** The buffers. */
  public List<RemoteBuffer> buffers() {
    return buffers;
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

  /** The keys of a buffer for a way, by remote rail; null if the way does not reach it. */
  public long[] keys(int buffer, int way) {
    return keys[buffer][way];
  }

  /** The order of the remote's rails for a buffer by a way; null if all are alike. */
  public RailOrder order(int buffer, int way) {
    return orders[buffer][way];
  }

  /** Whether the remote lists RDMA among the transports of a buffer. */
  public boolean listsRdma() {
    return listsRdma;
  }
}

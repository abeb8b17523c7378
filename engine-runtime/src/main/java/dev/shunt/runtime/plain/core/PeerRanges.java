package dev.shunt.runtime.plain.core;

import dev.shunt.api.Access;
import dev.shunt.runtime.descriptor.DescribedBuffer;
import dev.shunt.runtime.descriptor.Descriptor;
import java.util.Comparator;

/**
 * Which memory a peer lets be reached by SendData and RecvData, as of one fetch of its descriptor.
 * Immutable. Buffers may overlap.
 */
public final class PeerRanges {
  /** TENT's number of its transport over TCP, which is SendData and RecvData. */
  public static final int TCP = 7;

  /** TENT's number of RDMA. */
  public static final int RDMA = 1;

  private final long generation;
  private final long[] starts;
  private final long[] ends;
  private final Access[] access;
  private final long[] furthest;

  /** What became of a look. */
  public enum Answer {
    /** The range lies within one buffer that allows the operation. */
    INSIDE,
    /** No buffer holds all of it. */
    OUTSIDE,
    /** Those that hold it do not allow the operation. */
    FORBIDDEN
  }

  private PeerRanges(Descriptor descriptor) {
    var buffers =
        descriptor.buffers().stream()
            .filter(PeerRanges::reachable)
            .sorted(Comparator.comparingLong(DescribedBuffer::address))
            .toList();
    generation = descriptor.generation();
    starts = new long[buffers.size()];
    ends = new long[starts.length];
    access = new Access[starts.length];
    furthest = new long[starts.length];
    long most = 0;
    for (int i = 0; i < starts.length; i++) {
      var buffer = buffers.get(i);
      starts[i] = buffer.address();
      ends[i] = buffer.address() + buffer.length();
      access[i] = buffer.access();
      most = Math.max(most, ends[i]);
      furthest[i] = most;
    }
  }

  /** What a descriptor tells. */
  public static PeerRanges of(Descriptor descriptor) {
    return new PeerRanges(descriptor);
  }

  /** Whether a buffer is for peers that come over TCP. */
  public static boolean reachable(DescribedBuffer buffer) {
    return buffer.tentTransports().contains(TCP);
  }

  /** The generation that the descriptor tells; 0 if it is a plain peer's. */
  public long generation() {
    return generation;
  }

  /** How many buffers there are. */
  public int size() {
    return starts.length;
  }

  /** Looks whether one buffer holds a range. Allocates nothing. */
  public Answer look(long address, long length, boolean write) {
    long end = address + length;
    if (address < 0 || length < 0 || end < address) {
      return Answer.OUTSIDE;
    }
    var answer = Answer.OUTSIDE;
    for (int i = last(address); i >= 0 && furthest[i] >= end; i--) {
      if (ends[i] >= end) {
        if (write ? access[i].writable() : access[i].readable()) {
          return Answer.INSIDE;
        }
        answer = Answer.FORBIDDEN;
      }
    }
    return answer;
  }

  /** The last buffer that begins no later than an address, or -1. */
  private int last(long address) {
    int low = 0;
    int high = starts.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (starts[middle] <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }
}

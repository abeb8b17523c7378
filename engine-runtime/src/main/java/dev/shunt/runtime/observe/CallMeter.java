package dev.shunt.runtime.observe;

import dev.shunt.runtime.control.core.Functions;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** Calls of the control plane by function, in and out. Any thread. */
public final class CallMeter {
  /** Those with a name of their own; plug-ins' functions are one more together. */
  private static final int[] KNOWN = {
    Functions.GET_SEGMENT_DESC,
    Functions.BOOTSTRAP_RDMA,
    Functions.SEND_DATA,
    Functions.RECV_DATA,
    Functions.NOTIFY,
    Functions.PROBE,
    Functions.SUBSCRIBE,
    Functions.SEGMENT_UPDATED,
    Functions.HELLO,
    Functions.FENCE
  };

  private final AtomicLongArray called = new AtomicLongArray(KNOWN.length + 1);
  private final AtomicLongArray failed = new AtomicLongArray(KNOWN.length + 1);
  private final AtomicLongArray served = new AtomicLongArray(KNOWN.length + 1);

  /** Nothing counted yet. */
  public CallMeter() {}

  private static int slot(int function) {
    for (int i = 0; i < KNOWN.length; i++) {
      if (KNOWN[i] == function) {
        return i;
      }
    }
    return KNOWN.length;
  }

  /** We call a peer. */
  public void called(int function) {
    called.getAndIncrement(slot(function));
  }

  /** Such a call ended without a reply. */
  public void failed(int function) {
    failed.getAndIncrement(slot(function));
  }

  /** A peer calls us. */
  public void served(int function) {
    served.getAndIncrement(slot(function));
  }

  /** What was counted of one function. */
  public record Count(String function, long called, long failed, long served) {}

  /** All of it; functions of plug-ins, and unknown ones, are {@code other}. */
  public List<Count> counts() {
    return java.util.stream.IntStream.rangeClosed(0, KNOWN.length)
        .mapToObj(
            i ->
                new Count(
                    i == KNOWN.length ? "other" : Functions.name(KNOWN[i]),
                    called.get(i),
                    failed.get(i),
                    served.get(i)))
        .toList();
  }
}

package dev.shunt.runtime.plain.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.Slice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * A slice of which only the peer's descriptor, fetched anew, can tell what becomes of it.
 *
 * @param slice which
 * @param why it is doubted
 * @param text what the peer said, or an empty text
 * @param description the number of the first fetch that will do
 */
record Doubt(Slice slice, Why why, String text, long description) {
  /** The longest text of a refusal that could be taken for data. */
  private static final long LONGEST = 512;

  private static final long SHORTEST = 8;

  /** How a refusal begins, behind the name of what was asked: Send or Recv. */
  private static final String REFUSAL = "Data failed: ";

  private static final int MOST_BEFORE = 4;

  /** Why. */
  enum Why {
    /** The descriptor that is known does not have its range: it was not sent. */
    UNKNOWN_RANGE,
    /** What was read could as well be the text of a refusal. */
    READS_AS_TEXT,
    /** The peer refused it. */
    REFUSED
  }

  /**
   * Whether what was read could be the text of a refusal: a peer answers a read with the data, or
   * with a text in its place, and nothing but the length tells them apart.
   */
  static boolean couldBeRefusal(Slice read) {
    long length = read.length();
    if (length < SHORTEST || length > LONGEST) {
      return false;
    }
    var memory = read.memory();
    for (long at = read.offset(), end = at + length; at < end; at++) {
      byte one = memory.get(ValueLayout.JAVA_BYTE, at);
      if (one < 0x20 || one > 0x7e) {
        return false;
      }
    }
    return true;
  }

  /** What was read, if it says itself that it is a refusal; else an empty text. */
  String refusal() {
    var bytes = new byte[(int) slice.length()];
    MemorySegment.copy(
        slice.memory(), ValueLayout.JAVA_BYTE, slice.offset(), bytes, 0, bytes.length);
    var read = new String(bytes, StandardCharsets.US_ASCII);
    int at = read.indexOf(REFUSAL);
    return at >= 0 && at <= MOST_BEFORE ? read : "";
  }

  /** What may have become of it. */
  Effect effect() {
    return slice.write() && why == Why.REFUSED && !text.contains("not in registered buffer")
        ? Effect.POSSIBLE
        : Effect.NONE;
  }

  /** It is not to be had: the descriptor says so. */
  Fault denied(String peer, PeerRanges.Answer answer) {
    var forbidden = answer == PeerRanges.Answer.FORBIDDEN;
    return new Fault(
        Blame.REQUEST,
        forbidden ? FailureCode.REMOTE_ACCESS : FailureCode.REMOTE_RANGE,
        effect(),
        peer
            + (forbidden ? " does not allow to " : " has no buffer to ")
            + (slice.write() ? "write " : "read ")
            + slice.length()
            + " bytes at 0x"
            + Long.toHexString(slice.remoteAddress())
            + ", by its descriptor of just now"
            + said());
  }

  /** The peer refuses what its descriptor has. */
  Fault refused(String peer) {
    return new Fault(
        Blame.REMOTE,
        Refusal.leading(text).map(Refusal::failure).orElse(FailureCode.REMOTE_RANGE),
        effect(),
        peer
            + " refused "
            + slice.length()
            + " bytes at 0x"
            + Long.toHexString(slice.remoteAddress())
            + ", which its descriptor has"
            + said());
  }

  private String said() {
    return text.isEmpty() ? "" : ": " + text;
  }
}

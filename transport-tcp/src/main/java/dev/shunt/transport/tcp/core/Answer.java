package dev.shunt.transport.tcp.core;

import java.util.Optional;

/**
 * What a responder says to a preamble.
 *
 * @param highest the highest version that it speaks
 * @param lowest the lowest
 * @param flags granted
 * @param status whether the requester is welcome
 * @param depth granted
 * @param generation the responder's own
 * @param longest the longest payload granted
 */
public record Answer(
    int highest, int lowest, int flags, Status status, int depth, long generation, long longest) {
  /** Bytes. */
  public static final int LENGTH = 48;

  private static final int CRC_AT = LENGTH - Integer.BYTES;

  /** A refusal, or a welcome without numbers. */
  public static Answer of(Status status, long generation) {
    return new Answer(Preamble.VERSION, Preamble.LOWEST, 0, status, 0, generation, 0);
  }

  /** Puts it. */
  public void encode(FrameBuffer into, long at) {
    into.putLong(at, Preamble.MAGIC);
    into.putShort(at + 8, highest);
    into.putShort(at + 10, lowest);
    into.putShort(at + 12, flags);
    into.putShort(at + 14, status.code());
    into.putInt(at + 16, depth);
    into.putInt(at + 20, 0);
    into.putLong(at + 24, generation);
    into.putLong(at + 32, longest);
    into.putInt(at + 40, 0);
    into.putInt(at + CRC_AT, into.crc(at, CRC_AT));
  }

  /** Takes one; empty if the bytes are no answer, or not whole. */
  public static Optional<Answer> decode(FrameBuffer from, long at) {
    if (!Preamble.speaksShunt(from, at) || from.getInt(at + CRC_AT) != from.crc(at, CRC_AT)) {
      return Optional.empty();
    }
    return Optional.of(
        new Answer(
            from.getShort(at + 8),
            from.getShort(at + 10),
            from.getShort(at + 12),
            Status.of(from.getShort(at + 14)),
            from.getInt(at + 16),
            from.getLong(at + 24),
            from.getLong(at + 32)));
  }

  /**
   * Whether it grants no more than was asked for, and enough to work with. Flags are asked for only
   * where both nodes agreed on what they mean, so all of them must be granted.
   */
  public boolean fits(Preamble asked) {
    return depth >= 1
        && depth <= asked.depth()
        && longest >= 1
        && longest <= asked.longest()
        && flags == asked.flags();
  }

  /** Whether the requester is welcome, and why not. */
  public enum Status {
    /** It is. */
    WELCOME,
    /** The responder is of another generation than expected. */
    STALE_GENERATION,
    /** The responder does not speak that version. */
    VERSION,
    /** The responder has as many streams as it takes. */
    BUSY,
    /** The link was fenced. */
    FENCED,
    /** Another rail listens here. */
    WRONG_RAIL,
    /** The link is up already. */
    DUPLICATE,
    /** The preamble makes no sense. */
    MALFORMED,
    /** The requester has as much of the rail as one peer may; from version 2 on. */
    CROWDED,
    /** A status of a later version. */
    UNKNOWN;

    private static final Status[] ALL = values();

    /** Its number on the wire. */
    int code() {
      return ordinal();
    }

    static Status of(int code) {
      return ALL[Math.min(code, UNKNOWN.ordinal())];
    }
  }
}

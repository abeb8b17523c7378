package dev.shunt.transport.tcp.core;

import java.util.Optional;

/**
 * The first that a requester sends.
 *
 * @param version of the frames that follow
 * @param flags asked for
 * @param depth how many requests it would leave unanswered at most
 * @param generation its own
 * @param expected the generation that it expects of the responder, 0 for any
 * @param attempt names the link together with the generation
 * @param rail of the responder
 * @param longest the longest payload that it would send or ask for
 */
public record Preamble(
    int version,
    int flags,
    int depth,
    long generation,
    long expected,
    long attempt,
    int rail,
    long longest) {
  /** Bytes. */
  public static final int LENGTH = 64;

  /** The only version of frames that there is so far, and so the highest. */
  public static final int VERSION = 1;

  /** "SHUNTtcp", as a little-endian number. */
  static final long MAGIC = 0x706374544e554853L;

  private static final int CRC_AT = LENGTH - Integer.BYTES;

  /** Puts it. */
  public void encode(FrameBuffer into, long at) {
    into.putLong(at, MAGIC);
    into.putShort(at + 8, version);
    into.putShort(at + 10, flags);
    into.putInt(at + 12, depth);
    into.putLong(at + 16, generation);
    into.putLong(at + 24, expected);
    into.putLong(at + 32, attempt);
    into.putInt(at + 40, rail);
    into.putInt(at + 44, 0);
    into.putLong(at + 48, longest);
    into.putInt(at + 56, 0);
    into.putInt(at + CRC_AT, into.crc(at, CRC_AT));
  }

  /** Takes one; empty if the bytes are no preamble, or not whole. */
  public static Optional<Preamble> decode(FrameBuffer from, long at) {
    if (!speaksShunt(from, at) || from.getInt(at + CRC_AT) != from.crc(at, CRC_AT)) {
      return Optional.empty();
    }
    return Optional.of(
        new Preamble(
            from.getShort(at + 8),
            from.getShort(at + 10),
            from.getInt(at + 12),
            from.getLong(at + 16),
            from.getLong(at + 24),
            from.getLong(at + 32),
            from.getInt(at + 40),
            from.getLong(at + 48)));
  }

  /** Whether the other side is one of ours at all. */
  public static boolean speaksShunt(FrameBuffer from, long at) {
    return from.getLong(at) == MAGIC;
  }

  /** Whether its fields can mean something, whatever the version. */
  public boolean sound() {
    return generation != 0 && attempt > 0 && depth >= 1 && longest >= 1 && rail >= 0;
  }
}

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
 * @param stream which of the link's streams it is, from 0
 * @param streams how many the link is to have
 * @param keepAlive how long it would be silent at most, in milliseconds; 0 for any time
 */
public record Preamble(
    int version,
    int flags,
    int depth,
    long generation,
    long expected,
    long attempt,
    int rail,
    long longest,
    int stream,
    int streams,
    int keepAlive) {
  /** Bytes. */
  public static final int LENGTH = 64;

  /** The highest version of frames. */
  public static final int VERSION = 2;

  /** The lowest version of frames. */
  public static final int LOWEST = 1;

  /** The most streams of a link. */
  public static final int STREAMS = 64;

  /** "SHUNTtcp", as a little-endian number. */
  static final long MAGIC = 0x706374544e554853L;

  private static final int CRC_AT = LENGTH - Integer.BYTES;

  /** One of a link with one stream, as all are in version 1. */
  public Preamble(
      int version,
      int flags,
      int depth,
      long generation,
      long expected,
      long attempt,
      int rail,
      long longest) {
    this(version, flags, depth, generation, expected, attempt, rail, longest, 0, 1, 0);
  }

  /** That of another stream of the same link. */
  public Preamble forStream(int number) {
    return new Preamble(
        version,
        flags,
        depth,
        generation,
        expected,
        attempt,
        rail,
        longest,
        number,
        streams,
        keepAlive);
  }

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
    into.putShort(at + 44, version == 1 ? 0 : stream);
    into.putShort(at + 46, version == 1 ? 0 : streams);
    into.putLong(at + 48, longest);
    into.putInt(at + 56, version == 1 ? 0 : keepAlive);
    into.putInt(at + CRC_AT, into.crc(at, CRC_AT));
  }

  /** Takes one; empty if the bytes are no preamble, or not whole. */
  public static Optional<Preamble> decode(FrameBuffer from, long at) {
    if (!speaksShunt(from, at) || from.getInt(at + CRC_AT) != from.crc(at, CRC_AT)) {
      return Optional.empty();
    }
    boolean single = from.getShort(at + 8) == 1;
    return Optional.of(
        new Preamble(
            from.getShort(at + 8),
            from.getShort(at + 10),
            from.getInt(at + 12),
            from.getLong(at + 16),
            from.getLong(at + 24),
            from.getLong(at + 32),
            from.getInt(at + 40),
            from.getLong(at + 48),
            single ? 0 : from.getShort(at + 44),
            single ? 1 : from.getShort(at + 46),
            single ? 0 : from.getInt(at + 56)));
  }

  /** Whether the other side is one of ours at all. */
  public static boolean speaksShunt(FrameBuffer from, long at) {
    return from.getLong(at) == MAGIC;
  }

  /** Whether its fields can mean something, whatever the version. */
  public boolean sound() {
    return generation != 0
        && attempt > 0
        && depth >= 1
        && longest >= 1
        && rail >= 0
        && stream < streams
        && streams <= STREAMS
        && keepAlive >= 0;
  }
}

package dev.shunt.transport.nof.core;

import java.lang.foreign.MemorySegment;

/**
 * Takes the stream of a target apart. Headers and small data come by way of a buffer of its own,
 * larger data straight to where it belongs. All input is unchecked; what is wrong is reported once,
 * and nothing after it is looked at.
 */
public final class Receiver {
  /** Bytes of the buffer. */
  static final int BUFFER = 16 * 1024;

  private static final long STRAIGHT = 4096;

  /** What the stream holds. */
  interface Handler {
    /**
     * A header, complete and as its type demands. For data, answers with {@link #into} where it
     * goes, unless the connection ends here.
     *
     * @param pdu the header begins at {@code at} in it
     * @param data the bytes of data that follow
     */
    void header(int type, int flags, MemorySegment pdu, long at, long data, long now);

    /** The data that {@link #header} announced has come. */
    void data(int flags, boolean digestMatches, long now);

    /**
     * The stream makes no sense from here on.
     *
     * @param pdu holds the header that is wrong
     * @param bytes how much of it there is
     */
    void broken(
        int fes, long information, String what, MemorySegment pdu, long at, int bytes, long now);
  }

  private final MemorySegment buffer;
  private final Handler handler;
  private final Digest digest = new Digest();
  private int head;
  private int tail;
  private boolean headerDigest;
  private boolean dataDigest;
  private boolean over;
  private int headerLength;

  private MemorySegment into;
  private long intoAt;
  private long remaining;
  private boolean trailer;
  private int dataFlags;

  Receiver(MemorySegment buffer, Handler handler) {
    this.buffer = buffer;
    this.handler = handler;
  }

  /** What both sides agreed on; counts from the next PDU on. */
  void digests(boolean header, boolean data) {
    headerDigest = header;
    dataDigest = data;
  }

  /** Where the data of the header that is being handled goes. */
  void into(MemorySegment memory, long at) {
    into = memory;
    intoAt = at;
  }

  /** Looks at nothing more. */
  void end() {
    over = true;
    into = null;
  }

  private boolean straight() {
    return remaining >= STRAIGHT && head == tail && into != null;
  }

  /** Where the next bytes of the stream go. */
  public MemorySegment memory() {
    return straight() ? into : buffer;
  }

  /** Where in it. */
  public long offset() {
    return straight() ? intoAt : tail;
  }

  /** How many, at most; above 0. */
  public long wanted() {
    return straight() ? remaining : BUFFER - tail;
  }

  /** So many came. */
  void received(long bytes, long now) {
    if (over) {
      return;
    }
    if (straight()) {
      landed(bytes);
    } else {
      tail += (int) bytes;
    }
    boolean moved = true;
    while (moved && !over) {
      moved = remaining > 0 ? payload() : trailer ? trailer(now) : header(now);
    }
    if (head == tail) {
      head = 0;
      tail = 0;
    } else if (head > 0) {
      MemorySegment.copy(buffer, head, buffer, 0, tail - head);
      tail -= head;
      head = 0;
    }
  }

  private void landed(long bytes) {
    if (dataDigest) {
      digest.update(into, intoAt, bytes);
    }
    intoAt += bytes;
    remaining -= bytes;
  }

  private boolean payload() {
    long bytes = Math.min(remaining, tail - head);
    if (bytes == 0) {
      return false;
    }
    MemorySegment.copy(buffer, head, into, intoAt, bytes);
    head += (int) bytes;
    landed(bytes);
    return true;
  }

  private boolean trailer(long now) {
    boolean matches = true;
    if (dataDigest) {
      if (tail - head < Pdu.DIGEST) {
        return false;
      }
      matches = Le.u32(buffer, head) == digest.value();
      head += Pdu.DIGEST;
    }
    trailer = false;
    into = null;
    handler.data(dataFlags, matches, now);
    return true;
  }

  private boolean header(long now) {
    if (tail - head < Pdu.COMMON) {
      return false;
    }
    if (headerLength == 0 && !common(now)) {
      return false;
    }
    if (tail - head < headerLength) {
      return false;
    }
    int at = head;
    int type = Le.u8(buffer, at);
    int flags = Le.u8(buffer, at + 1);
    int own = Le.u8(buffer, at + 2);
    if ((flags & Pdu.HDGST) != 0) {
      digest.reset();
      digest.update(buffer, at, own);
      if (Le.u32(buffer, at + own) != digest.value()) {
        broken(Pdu.FES_DIGEST, Le.u32(buffer, at + own), "the header digest of a ", type, now);
        return false;
      }
    }
    long data = 0;
    if (type == Pdu.C2H_DATA) {
      data = Le.u32(buffer, at + 4) - headerLength - (dataDigest ? Pdu.DIGEST : 0);
      remaining = data;
      trailer = true;
      dataFlags = flags;
      digest.reset();
    }
    head += headerLength;
    headerLength = 0;
    handler.header(type, flags, buffer, at, data, now);
    return true;
  }

  /** Checks a common header; sets how many bytes come before the data. */
  private boolean common(long now) {
    int type = Le.u8(buffer, head);
    int flags = Le.u8(buffer, head + 1);
    int own = Le.u8(buffer, head + 2);
    int dataOffset = Le.u8(buffer, head + 3);
    long length = Le.u32(buffer, head + 4);
    boolean first = type == Pdu.IC_RESP || type == Pdu.C2H_TERM_REQ;
    int expected = type == Pdu.IC_RESP ? Pdu.IC_LENGTH : Pdu.SHORT_LENGTH;
    if (!first && type != Pdu.CAPSULE_RESP && type != Pdu.C2H_DATA && type != Pdu.R2T) {
      return broken(Pdu.FES_FIELD, 0, "the type of a ", type, now);
    }
    if (own != expected) {
      return broken(Pdu.FES_FIELD, 2, "the header length of a ", type, now);
    }
    if ((flags & Pdu.HDGST) != 0 != (headerDigest && !first)) {
      return broken(Pdu.FES_FIELD, 1, "the header digest flag of a ", type, now);
    }
    int digests = (flags & Pdu.HDGST) != 0 ? Pdu.DIGEST : 0;
    if (type == Pdu.C2H_DATA) {
      if ((flags & Pdu.DDGST) != 0 != dataDigest) {
        return broken(Pdu.FES_FIELD, 1, "the data digest flag of a ", type, now);
      }
      if (dataOffset < expected + digests || (dataOffset & 3) != 0) {
        return broken(Pdu.FES_FIELD, 3, "the data offset of a ", type, now);
      }
      if (length <= dataOffset + (dataDigest ? Pdu.DIGEST : 0)) {
        return broken(Pdu.FES_FIELD, 4, "the length of a ", type, now);
      }
      headerLength = dataOffset;
      return true;
    }
    boolean fits =
        type == Pdu.C2H_TERM_REQ
            ? length >= expected && length <= Pdu.TERM_LIMIT
            : length == expected + digests;
    if (!fits) {
      return broken(Pdu.FES_FIELD, 4, "the length of a ", type, now);
    }
    headerLength = (int) length;
    return true;
  }

  private boolean broken(int fes, long information, String what, int type, long now) {
    over = true;
    int bytes = Math.min(tail - head, Math.max(Pdu.COMMON, Math.min(headerLength, 128)));
    var text = what + Pdu.name(type) + " is wrong";
    handler.broken(fes, information, text, buffer, head, bytes, now);
    return false;
  }
}

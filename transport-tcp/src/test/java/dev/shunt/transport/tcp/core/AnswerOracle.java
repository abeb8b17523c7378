package dev.shunt.transport.tcp.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What the specification makes of the bytes that a responder sent, read at leisure: which requests
 * they answer, and whether they break the stream. Shares no line with what it judges.
 */
final class AnswerOracle {
  private final List<Piece> requests;
  private final boolean checksums;
  boolean broken;
  int answered;
  private final boolean[] good;

  AnswerOracle(List<Piece> requests, boolean checksums) {
    this.requests = requests;
    this.checksums = checksums;
    good = new boolean[requests.size()];
  }

  /** Whether a request was answered with success. */
  boolean good(int request) {
    return good[request];
  }

  void read(MemorySegment stream, long length) {
    long at = 0;
    while (!broken && length - at >= 48) {
      at = frame(stream, at, length);
    }
  }

  private long frame(MemorySegment stream, long at, long length) {
    int type = stream.get(ValueLayout.JAVA_BYTE, at);
    int flags = stream.get(ValueLayout.JAVA_BYTE, at + 1);
    int status = stream.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + 2) & 0xffff;
    boolean flagged = flags == 0 || flags == 1 && type == 5 && checksums;
    broken = !RequestOracle.intact(stream, at) || !flagged;
    if (!broken && type == 4) {
      long first = RequestOracle.number(stream, at + 16);
      acknowledge(RequestOracle.number(stream, at + 8), first, status);
      return at + 48;
    }
    if (!broken && type == 5 && data(stream, at, flags, status)) {
      return status == 0 ? payload(stream, at, length) : refused(at + 48);
    }
    broken = true;
    return at;
  }

  private void acknowledge(long id, long count, int status) {
    boolean fits = count >= 1 && id == answered + count && id <= requests.size();
    broken = !fits || status != 0 && count != 1 || status == 4 && !checksums;
    while (!broken && answered < id) {
      if (requests.get(answered).write()) {
        good[answered++] = status == 0;
      } else {
        broken = true;
      }
    }
  }

  private boolean data(MemorySegment stream, long at, int flags, int status) {
    if (RequestOracle.number(stream, at + 8) != answered + 1L || answered == requests.size()) {
      return false;
    }
    var request = requests.get(answered);
    long expected = status == 0 ? request.length() : 0;
    boolean fits = !request.write() && RequestOracle.number(stream, at + 24) == expected;
    return fits && status != 4 && (status != 0 || (flags == 1) == checksums);
  }

  private long payload(MemorySegment stream, long at, long length) {
    long bytes = requests.get(answered).length();
    if (length - at - 48 < bytes) {
      return length;
    }
    var crc = new CRC32C();
    crc.update(stream.asSlice(at + 48, bytes).toArray(ValueLayout.JAVA_BYTE));
    int told = stream.get(ValueLayout.JAVA_INT_UNALIGNED, at + 4);
    good[answered++] = !checksums || (int) crc.getValue() == told;
    return at + 48 + bytes;
  }

  private long refused(long at) {
    answered++;
    return at;
  }
}

package dev.shunt.transport.nof.testing;

import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A connection's bytes: whole PDUs come in, and go out with their digests. */
final class SoftStream implements WireHandler {
  private static final int LIMIT = 4 << 20;

  /** Takes what comes. */
  interface Handler {
    /** A whole PDU, or what claims to be one. */
    void pdu(ByteBuffer pdu, long now);

    /** Bytes that are no PDU. */
    void nonsense(String what);

    /** The connection is over. */
    void ended();
  }

  private final SoftTarget target;
  private final Wire wire;
  private final Handler handler;
  private Outbox out = new Outbox();
  private byte[] staging = new byte[64 << 10];
  private MemorySegment stagingMemory = MemorySegment.ofArray(staging);
  private byte[] in = new byte[4096];
  private int filled;
  private boolean headerDigest;
  private boolean dataDigest;
  private boolean stalled;
  private boolean closing;
  private boolean terminated;
  private boolean gone;
  private boolean spoilHeader;
  private boolean spoilData;

  SoftStream(SoftTarget target, Wire wire, Handler handler) {
    this.target = target;
    this.wire = wire;
    this.handler = handler;
  }

  void agreed(boolean header, boolean data) {
    headerDigest = header;
    dataDigest = data;
  }

  boolean headerDigest() {
    return headerDigest;
  }

  boolean dataDigest() {
    return dataDigest;
  }

  /** Where data begin that follow a short header. */
  int shortEnd() {
    return 24 + (headerDigest ? 4 : 0);
  }

  void interest() {
    if (!gone) {
      boolean read = !stalled && !target.frozen() && !closing;
      wire.interest(read, !out.isEmpty() && !target.frozen());
    }
  }

  @Override
  public void connected(Wire accepted, long now) {}

  @Override
  public void readable(Wire from, long now) {
    try {
      if (target.frozen() || stalled || closing) {
        interest();
        return;
      }
      long n = from.read(stagingMemory, 0, staging.length);
      if (n < 0) {
        end(false);
      } else if (!terminated) {
        if (filled + n > in.length) {
          in = Arrays.copyOf(in, Math.max(2 * in.length, filled + (int) n));
        }
        System.arraycopy(staging, 0, in, filled, (int) n);
        filled += (int) n;
        parse(now);
        push();
      }
    } catch (WireException e) {
      end(true);
    }
  }

  @Override
  public void writable(Wire to, long now) {
    push();
  }

  @Override
  public void failed(Wire broken, WireException cause, long now) {
    end(true);
  }

  void push() {
    try {
      if (!gone && !out.isEmpty() && !target.frozen()) {
        out.send(wire, target.options().chunk);
      }
      if (!gone && closing && out.isEmpty()) {
        end(false);
      }
      interest();
    } catch (WireException e) {
      end(true);
    }
  }

  /** Is not looked at any more. */
  void stall() {
    stalled = true;
    interest();
  }

  /** Ends when all is out. */
  void close() {
    closing = true;
    push();
  }

  /** Says why it ends, waits for the host to close, and looks at nothing that comes. */
  void terminate(int reason, int information) {
    var pdu = pdu(3, 0, 24, 24);
    put(pdu.putShort(8, (short) reason).putInt(10, information));
    terminated = true;
    push();
  }

  void spoilHeader() {
    spoilHeader = true;
  }

  void spoilData() {
    spoilData = true;
  }

  void end(boolean reset) {
    if (gone) {
      return;
    }
    gone = true;
    if (reset) {
      wire.abort();
    } else {
      wire.close();
    }
    in = null;
    out = null;
    staging = null;
    stagingMemory = null;
    handler.ended();
  }

  private void parse(long now) {
    int at = 0;
    while (!gone && !stalled && !closing && !terminated && filled - at >= 8) {
      int length = ByteBuffer.wrap(in).order(ByteOrder.LITTLE_ENDIAN).getInt(at + 4);
      if (length < 8 || length > LIMIT) {
        handler.nonsense("a PDU of " + Integer.toUnsignedString(length) + " bytes");
        break;
      }
      if (filled - at < length) {
        break;
      }
      var pdu = ByteBuffer.wrap(in, at, length).slice().order(ByteOrder.LITTLE_ENDIAN);
      at += length;
      handler.pdu(pdu, now);
    }
    if (!gone) {
      System.arraycopy(in, at, in, 0, filled - at);
      filled -= at;
    }
  }

  /** What is wrong with a PDU's digests, or null. */
  String wrongDigest(ByteBuffer pdu, int own) {
    int flags = pdu.get(1);
    int offset = pdu.get(3) & 0xff;
    if ((flags & 1) != 0 != headerDigest || (flags & 2) != 0 != (dataDigest && offset > 0)) {
      return "flags " + flags;
    }
    // Either may have no place at all: the length may be what was damaged.
    int end = pdu.limit() - 4;
    if (headerDigest && (end < own || pdu.getInt(own) != crc(pdu, 0, own))) {
      return "a header digest";
    }
    boolean data = dataDigest && offset > 0;
    return data && (end < offset || pdu.getInt(end) != crc(pdu, offset, end - offset))
        ? "a data digest"
        : null;
  }

  private static int crc(ByteBuffer pdu, int at, int length) {
    var crc = new CRC32C();
    crc.update(pdu.slice(at, length));
    return (int) crc.getValue();
  }

  static ByteBuffer pdu(int type, int flags, int own, int length) {
    var pdu = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    return pdu.put(0, (byte) type).put(1, (byte) flags).put(2, (byte) own).putInt(4, length);
  }

  /** A short PDU, with room for its digest. */
  ByteBuffer shortPdu(int type) {
    return pdu(type, headerDigest ? 1 : 0, 24, shortEnd());
  }

  /** Sends a short PDU, with or without data. */
  void send(ByteBuffer pdu) {
    if (headerDigest) {
      pdu.putInt(24, crc(pdu, 0, 24) ^ (spoilHeader ? 1 : 0));
      spoilHeader = false;
    }
    put(pdu);
  }

  void sendData(int id, int from, ByteBuffer bytes, int more) {
    int length = bytes.remaining();
    int end = shortEnd();
    int flags = more | (headerDigest ? 1 : 0) | (dataDigest ? 2 : 0);
    var pdu = pdu(7, flags, 24, end + length + (dataDigest ? 4 : 0));
    pdu.put(3, (byte) end).putShort(8, (short) id).putInt(12, from).putInt(16, length);
    pdu.put(end, bytes, 0, length);
    if (dataDigest) {
      pdu.putInt(end + length, crc(pdu, end, length) ^ (spoilData ? 1 : 0));
      spoilData = false;
    }
    send(pdu);
  }

  void put(ByteBuffer pdu) {
    if (!gone) {
      out.add(pdu);
    }
  }
}

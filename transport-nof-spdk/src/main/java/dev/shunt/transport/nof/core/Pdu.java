package dev.shunt.transport.nof.core;

import java.lang.foreign.MemorySegment;

/**
 * The PDUs of NVMe/TCP. Each begins with a common header: type at 0, flags at 1, header length at
 * 2, data offset at 3, whole length at 4.
 */
public final class Pdu {
  /** Asks for a connection: the initiator's first. */
  public static final int IC_REQ = 0x00;

  /** Grants it. */
  public static final int IC_RESP = 0x01;

  /** Ends the connection, with the reason: from the initiator. */
  public static final int H2C_TERM_REQ = 0x02;

  /** Ends the connection, with the reason: from the target. */
  public static final int C2H_TERM_REQ = 0x03;

  /** A command, maybe with its data. */
  public static final int CAPSULE_CMD = 0x04;

  /** A completion. */
  public static final int CAPSULE_RESP = 0x05;

  /** Data of a write that was asked for. */
  public static final int H2C_DATA = 0x06;

  /** Data of a read. */
  public static final int C2H_DATA = 0x07;

  /** Asks for data of a write. */
  public static final int R2T = 0x09;

  /** Flag: a digest follows the header. */
  public static final int HDGST = 0x01;

  /** Flag: a digest follows the data. */
  public static final int DDGST = 0x02;

  /** Flag: the last data PDU of its transfer. */
  public static final int LAST = 0x04;

  /** Flag: with {@link #LAST}, the command is done well and no completion follows. */
  public static final int SUCCESS = 0x08;

  /** Bytes of the common header. */
  public static final int COMMON = 8;

  /** Bytes of the header of both connection PDUs, which are all header. */
  public static final int IC_LENGTH = 128;

  /** Bytes of a command's header. */
  public static final int COMMAND_LENGTH = 72;

  /** Bytes of the header of all others. */
  public static final int SHORT_LENGTH = 24;

  /** The most bytes of a termination, which repeats the header that was wrong. */
  public static final int TERM_LIMIT = 152;

  /** Bytes of a digest. */
  public static final int DIGEST = 4;

  /** Why a connection is ended: a field of a header is wrong; the offset of the field is told. */
  public static final int FES_FIELD = 1;

  /** Why a connection is ended: this PDU must not come now. */
  public static final int FES_SEQUENCE = 2;

  /** Why a connection is ended: the header's digest does not match. */
  public static final int FES_DIGEST = 3;

  /** Why a connection is ended: data outside the command's buffer. */
  public static final int FES_RANGE = 4;

  /** Why a connection is ended: more data, or more requests for data, than was agreed. */
  public static final int FES_LIMIT = 5;

  /** Why a connection is ended: a parameter that is not supported. */
  public static final int FES_PARAMETER = 6;

  private Pdu() {}

  /** Writes a common header. */
  static void common(
      MemorySegment to, long at, int type, int flags, int header, int dataOffset, long length) {
    Le.put8(to, at, type);
    Le.put8(to, at + 1, flags);
    Le.put8(to, at + 2, header);
    Le.put8(to, at + 3, dataOffset);
    Le.put32(to, at + 4, length);
  }

  /**
   * Writes a request for a connection: one request for data at a time for each command, and data of
   * reads at any multiple of 4.
   */
  static void icReq(MemorySegment to, long at, boolean headerDigest, boolean dataDigest) {
    to.asSlice(at, IC_LENGTH).fill((byte) 0);
    common(to, at, IC_REQ, 0, IC_LENGTH, 0, IC_LENGTH);
    Le.put8(to, at + 11, (headerDigest ? 1 : 0) | (dataDigest ? 2 : 0));
  }

  /** Writes the header of a piece of a write. */
  static void h2cData(
      MemorySegment to,
      long at,
      int flags,
      int dataOffset,
      long length,
      int commandId,
      int tag,
      long offset,
      long dataLength) {
    common(to, at, H2C_DATA, flags, SHORT_LENGTH, dataOffset, length);
    Le.put16(to, at + 8, commandId);
    Le.put16(to, at + 10, tag);
    Le.put32(to, at + 12, offset);
    Le.put32(to, at + 16, dataLength);
    Le.put32(to, at + 20, 0);
  }

  /** Writes the end of a connection, with the header that was wrong. */
  static void termReq(
      MemorySegment to,
      long at,
      int fes,
      long information,
      MemorySegment pdu,
      long from,
      int bytes) {
    to.asSlice(at, SHORT_LENGTH).fill((byte) 0);
    common(to, at, H2C_TERM_REQ, 0, SHORT_LENGTH, 0, SHORT_LENGTH + bytes);
    Le.put16(to, at + 8, fes);
    Le.put32(to, at + 10, information);
    if (bytes > 0) {
      MemorySegment.copy(pdu, from, to, at + SHORT_LENGTH, bytes);
    }
  }

  /** What a PDU is called. */
  public static String name(int type) {
    return switch (type) {
      case IC_REQ -> "ICReq";
      case IC_RESP -> "ICResp";
      case H2C_TERM_REQ -> "H2CTermReq";
      case C2H_TERM_REQ -> "C2HTermReq";
      case CAPSULE_CMD -> "CapsuleCmd";
      case CAPSULE_RESP -> "CapsuleResp";
      case H2C_DATA -> "H2CData";
      case C2H_DATA -> "C2HData";
      case R2T -> "R2T";
      default -> "PDU of type 0x" + Integer.toHexString(type);
    };
  }

  /** What a fatal error status says. */
  public static String reason(int fes) {
    return switch (fes) {
      case FES_FIELD -> "a header field is wrong";
      case FES_SEQUENCE -> "a PDU out of sequence";
      case FES_DIGEST -> "the header digest does not match";
      case FES_RANGE -> "data outside the command's buffer";
      case FES_LIMIT -> "more data or requests for data than agreed";
      case FES_PARAMETER -> "a parameter is not supported";
      default -> "fatal error status " + fes;
    };
  }
}

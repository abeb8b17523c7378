package dev.shunt.transport.nof.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;

/**
 * What the status of a completion means: bits 7:0 the code, 10:8 its type, 14 that a retry would
 * not help.
 */
public final class NvmeStatus {
  /** The connection's own: read data did not match its digest. */
  static final int BAD_DATA_DIGEST = 0x1_0000;

  private static final int MASK = 0x7ff;

  private NvmeStatus() {}

  /** Whether the command was done. */
  public static boolean good(int status) {
    return (status & (MASK | BAD_DATA_DIGEST)) == 0;
  }

  /** What a read or write that ended so suffered. */
  public static Fault ofTransfer(int status, boolean write, String where) {
    if (status == BAD_DATA_DIGEST) {
      return new Fault(
          Blame.REMOTE,
          FailureCode.CHECKSUM,
          Effect.NONE,
          where + ": the data that came does not match its digest");
    }
    int code = status & 0xff;
    return switch (status >> 8 & 7) {
      case 0 -> generic(code, write, where);
      case 1 -> {
        if (code == 0x82) {
          yield refused(status, where, FailureCode.REMOTE_ACCESS, "the range is read-only");
        }
        yield refused(status, where, FailureCode.UNSUPPORTED, "the command was refused");
      }
      case 2 -> media(code, write, where);
      case 3 -> path(code, write, where);
      default -> unclear(status, write, where, "a status of the vendor's own");
    };
  }

  private static Fault generic(int code, boolean write, String where) {
    return switch (code) {
      case 0x01 -> refused(code, where, FailureCode.UNSUPPORTED, "it does not know the command");
      case 0x02, 0x03, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13 ->
          refused(code, where, FailureCode.UNSUPPORTED, "it does not take a field of the command");
      case 0x07 -> aborted(code, write, where, "the command was aborted");
      case 0x08 -> aborted(code, write, where, "aborted, since its submission queue was deleted");
      case 0x0b -> refused(code, where, FailureCode.UNKNOWN_SEGMENT, "there is no such namespace");
      case 0x15, 0x20 ->
          refused(code, where, FailureCode.REMOTE_ACCESS, "the namespace may not be written");
      case 0x80 -> refused(code, where, FailureCode.REMOTE_RANGE, "the range leaves the namespace");
      case 0x82 -> {
        var text = text(code, where, "the namespace is not ready");
        yield new Fault(Blame.REMOTE, FailureCode.CONNECTION, Effect.NONE, text, code);
      }
      case 0x83 ->
          refused(code, where, FailureCode.REMOTE_ACCESS, "another host holds a reservation");
      case 0x22 ->
          new Fault(
              Blame.REMOTE,
              FailureCode.CHECKSUM,
              effect(write),
              text(code, where, "the data did not reach it whole"),
              code);
      default -> unclear(code, write, where, "the target failed");
    };
  }

  private static Fault media(int code, boolean write, String where) {
    int status = 0x200 | code;
    return switch (code) {
      case 0x86 -> refused(status, where, FailureCode.REMOTE_ACCESS, "access is denied");
      case 0x80 -> unclear(status, write, where, "the medium failed a write");
      case 0x81 -> unclear(status, write, where, "the medium failed a read");
      default -> unclear(status, write, where, "the medium failed");
    };
  }

  private static Fault path(int code, boolean write, String where) {
    int status = 0x300 | code;
    if (code >= 0x01 && code <= 0x03) {
      var text = text(status, where, "the namespace cannot be had by this portal");
      return new Fault(Blame.REMOTE, FailureCode.CONNECTION, Effect.NONE, text, status);
    }
    return unclear(status, write, where, "the path failed");
  }

  private static Fault refused(int status, String where, FailureCode code, String what) {
    return new Fault(Blame.REQUEST, code, Effect.NONE, text(status, where, what), status);
  }

  private static Fault unclear(int status, boolean write, String where, String what) {
    return new Fault(
        Blame.REMOTE, FailureCode.REMOTE_DEVICE, effect(write), text(status, where, what), status);
  }

  /** A target that says so may apply the command later all the same. */
  private static Fault aborted(int status, boolean write, String where, String what) {
    return new Fault(
        Blame.NEUTRAL, FailureCode.CONNECTION, effect(write), text(status, where, what), status);
  }

  private static Effect effect(boolean write) {
    return write ? Effect.POSSIBLE : Effect.NONE;
  }

  /** Why a target refused a Connect. */
  public static Fault ofConnect(int status, String where) {
    return switch (status & MASK) {
      case 0x180 -> connect(status, where, FailureCode.UNSUPPORTED, "it does not know the format");
      case 0x181 -> connect(status, where, FailureCode.CONNECTION, "it is busy");
      case 0x182 ->
          connect(
              status,
              where,
              FailureCode.UNKNOWN_SEGMENT,
              "it does not know the subsystem (NQN), or the controller is gone");
      case 0x183 -> connect(status, where, FailureCode.CONNECTION, "discovery has to start again");
      case 0x184 ->
          connect(
              status,
              where,
              FailureCode.REMOTE_ACCESS,
              "this host's NQN is not allowed to connect");
      case 0x101, 0x00c ->
          connect(status, where, FailureCode.CONNECTION, "the queue is still taken there");
      default -> connect(status, where, FailureCode.CONNECTION, "the Connect failed");
    };
  }

  private static Fault connect(int status, String where, FailureCode code, String what) {
    return new Fault(
        Blame.REMOTE, code, Effect.NONE, text(status & MASK, where, what), status & MASK);
  }

  /** Why an admin command failed. */
  public static Fault ofAdmin(int status, String where, String command) {
    return new Fault(
        Blame.REMOTE,
        FailureCode.CONNECTION,
        Effect.NONE,
        text(status & MASK, where, command + " failed"),
        status & MASK);
  }

  private static String text(int status, String where, String what) {
    return where
        + ": "
        + what
        + " (status type "
        + (status >> 8 & 7)
        + ", code 0x"
        + Integer.toHexString(status & 0xff)
        + ")";
  }
}

package dev.shunt.runtime.control.core;

/**
 * The frames of coro_rpc, as TENT uses them: a request names one function of C++ by a hash and the
 * real one by an int in its body; request and reply travel as attachments. Integers have the least
 * byte first.
 */
final class Frames {
  static final byte MAGIC = 0x15;
  static final byte VERSION = 0;
  static final byte STRUCT_PACK = 0;

  /** What TENT's one function hashes to. */
  static final int FUNCTION_HASH = 0xff74660d;

  static final int REQUEST_HEAD = 20;
  static final int REPLY_HEAD = 16;

  /** An error's text has at most 65535 bytes; no body has to be longer. */
  static final int MAX_BODY = (1 << 16) + 64;

  /**
   * In the byte of the message type, which TENT does not look at. In a request: a refusal may begin
   * with a code. In a reply: this one does.
   */
  static final byte CODES = 1;

  private Frames() {}

  /** Head and body of a request; the attachment follows. */
  static byte[] request(int sequence, int function, int attachment) {
    var body = StructPack.integer(function);
    var frame = new byte[REQUEST_HEAD + body.length];
    frame[0] = MAGIC;
    frame[1] = VERSION;
    frame[2] = STRUCT_PACK;
    LittleEndian.putInt(frame, 4, sequence);
    LittleEndian.putInt(frame, 8, FUNCTION_HASH);
    LittleEndian.putInt(frame, 12, body.length);
    LittleEndian.putInt(frame, 16, attachment);
    System.arraycopy(body, 0, frame, REQUEST_HEAD, body.length);
    return frame;
  }

  /** Head and body of a success; the attachment follows. */
  static byte[] reply(int sequence, int attachment) {
    return reply(0, sequence, StructPack.nothing(), attachment);
  }

  /** The same where the attachment is a refusal that begins with a code. */
  static byte[] refusal(int sequence, int attachment) {
    var frame = reply(sequence, attachment);
    frame[3] = CODES;
    return frame;
  }

  /** A whole error. */
  static byte[] error(int code, int sequence, String text) {
    return reply(code, sequence, StructPack.text(text), 0);
  }

  private static byte[] reply(int code, int sequence, byte[] body, int attachment) {
    var frame = new byte[REPLY_HEAD + body.length];
    frame[0] = MAGIC;
    frame[1] = VERSION;
    frame[2] = (byte) code;
    LittleEndian.putInt(frame, 4, sequence);
    LittleEndian.putInt(frame, 8, body.length);
    LittleEndian.putInt(frame, 12, attachment);
    System.arraycopy(body, 0, frame, REPLY_HEAD, body.length);
    return frame;
  }
}

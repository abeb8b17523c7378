package dev.shunt.runtime.control.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A frame, taken apart and put together apart from the engine's own codec.
 *
 * @param head as it is on the wire, with the lengths that it came with
 */
public record TentFrame(byte[] head, byte[] body, byte[] attachment) {
  static final int REQUEST = 20;
  static final int REPLY = 16;

  private static final byte[] INT = hex("0840a555");
  private static final byte[] INT_DEBUG = hex("0940a555040100");
  private static final byte[] VOID = hex("eacf0189");
  private static final byte[] VOID_DEBUG = hex("ebcf018904fa00");
  private static final byte[] TEXT = hex("76facf9d");
  private static final byte[] TEXT_DEBUG = hex("77facf9d04800c00");
  private static final byte[] LONG = hex("77facf9d08");
  private static final byte[] LONG_DEBUG = hex("77facf9d0c800c00");

  /** The form of a body, by the build that it comes from. */
  public enum Form {
    /** Built with NDEBUG. */
    RELEASE,
    /** Built without. */
    DEBUG
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static ByteBuffer numbers(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** How many bytes the whole frame has, by its head. */
  static long length(byte[] head) {
    var lengths = numbers(head).position(head.length - 8);
    return head.length
        + Integer.toUnsignedLong(lengths.getInt())
        + Integer.toUnsignedLong(lengths.getInt());
  }

  /** Takes bytes apart, if they are just whole frames; else empty. */
  public static List<TentFrame> split(byte[] bytes, int headLength) {
    var frames = new ArrayList<TentFrame>();
    int at = 0;
    while (at < bytes.length) {
      if (bytes.length - at < headLength || bytes[at] == 0x47) {
        return List.of();
      }
      var head = Arrays.copyOfRange(bytes, at, at + headLength);
      if (length(head) > bytes.length - at) {
        return List.of();
      }
      int body = numbers(head).getInt(headLength - 8);
      int end = at + (int) length(head);
      frames.add(
          new TentFrame(
              head,
              Arrays.copyOfRange(bytes, at + headLength, at + headLength + body),
              Arrays.copyOfRange(bytes, at + headLength + body, end)));
      at = end;
    }
    return frames;
  }

  boolean reply() {
    return head.length == REPLY;
  }

  int sequence() {
    return numbers(head).getInt(4);
  }

  int error() {
    return head[2] & 0xff;
  }

  /** Of a request: the function that its body names, or -1. */
  int function() {
    for (var form : List.of(INT, INT_DEBUG)) {
      if (starts(body, form) && body.length >= form.length + 4) {
        return numbers(body).getInt(form.length);
      }
    }
    return -1;
  }

  /** Of SendData and RecvData: the length that is asked for, or -1. */
  long asked() {
    return attachment.length < 16 ? -1 : numbers(attachment).getLong(8);
  }

  /** Whether it is a request as an engine makes it, not one by hand. */
  boolean canonical() {
    return head[0] == 0x15
        && numbers(head).getInt(8) == 0xff74660d
        && function() >= 0
        && in(Form.RELEASE).body.length == INT.length + 4;
  }

  String text() {
    return new String(attachment, UTF_8);
  }

  /** The same with another sequence. */
  TentFrame sequence(int sequence) {
    var changed = head.clone();
    numbers(changed).putInt(4, sequence);
    return new TentFrame(changed, body, attachment);
  }

  /** The same in one form, whatever it had; a body of no known kind stays. */
  public TentFrame in(Form form) {
    boolean debug = form == Form.DEBUG;
    var changed = body;
    if (starts(body, INT) || starts(body, INT_DEBUG)) {
      changed = swap(INT, INT_DEBUG, debug);
    } else if (starts(body, VOID) || starts(body, VOID_DEBUG)) {
      changed = swap(VOID, VOID_DEBUG, debug);
    } else if (starts(body, LONG) || starts(body, LONG_DEBUG)) {
      changed = swap(LONG, LONG_DEBUG, debug);
    } else if (starts(body, TEXT) || starts(body, TEXT_DEBUG)) {
      changed = swap(TEXT, TEXT_DEBUG, debug);
    }
    var lengths = head.clone();
    numbers(lengths).putInt(head.length - 8, changed.length);
    return new TentFrame(lengths, changed, attachment);
  }

  private byte[] swap(byte[] release, byte[] debugging, boolean debug) {
    var from = starts(body, debugging) ? debugging : release;
    var to = debug ? debugging : release;
    var rest = Arrays.copyOfRange(body, from.length, body.length);
    var changed = Arrays.copyOf(to, to.length + rest.length);
    System.arraycopy(rest, 0, changed, to.length, rest.length);
    return changed;
  }

  private static boolean starts(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** Whether it is in that form, or has no body of a known kind. */
  boolean has(Form form) {
    return Arrays.equals(body, in(form).body);
  }

  /** Of an error: its text, or an empty one if the body is none. */
  String problem() {
    var release = in(Form.RELEASE).body;
    int at = starts(release, TEXT) ? 5 : starts(release, LONG) ? 7 : release.length;
    return new String(release, at, release.length - at, UTF_8);
  }

  /** All of it. */
  public byte[] bytes() {
    var all = Arrays.copyOf(head, head.length + body.length + attachment.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    System.arraycopy(attachment, 0, all, head.length + body.length, attachment.length);
    return all;
  }

  @Override
  public String toString() {
    var format = HexFormat.of();
    var shown = Arrays.copyOf(attachment, Math.min(attachment.length, 64));
    return format.formatHex(head) + " " + format.formatHex(body) + " " + format.formatHex(shown);
  }
}

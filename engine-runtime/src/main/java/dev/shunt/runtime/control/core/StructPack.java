package dev.shunt.runtime.control.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The three values that struct_pack carries in a body: the int that names a function, the void
 * result, and an error's text. Written in the form of a release build; read in that of a debug
 * build too, where a description of the type follows the hash.
 */
public final class StructPack {
  private static final byte[] INT = {0x08, 0x40, (byte) 0xa5, 0x55};
  private static final byte[] INT_DEBUG = {0x09, 0x40, (byte) 0xa5, 0x55, 4, 1, 0};
  private static final byte[] VOID = {(byte) 0xea, (byte) 0xcf, 1, (byte) 0x89};
  private static final byte[] VOID_DEBUG = {(byte) 0xeb, (byte) 0xcf, 1, (byte) 0x89, 4, -6, 0};
  private static final byte[] TEXT = {0x76, (byte) 0xfa, (byte) 0xcf, (byte) 0x9d};
  private static final byte[] TEXT_WITH_META = {0x77, (byte) 0xfa, (byte) 0xcf, (byte) 0x9d};

  private static final int META_DESCRIPTION = 0x04;
  private static final int META_SIZES = 0x18;
  private static final int META_TWO_BYTES = 0x08;

  private StructPack() {}

  /** The body that names a function. */
  static byte[] integer(int value) {
    var body = Arrays.copyOf(INT, 8);
    LittleEndian.putInt(body, 4, value);
    return body;
  }

  /** The int at the beginning of a body; what follows it does not matter. */
  static OptionalInt integer(byte[] body, int length) {
    int at;
    if (starts(body, length, INT)) {
      at = INT.length;
    } else if (starts(body, length, INT_DEBUG)) {
      at = INT_DEBUG.length;
    } else {
      return OptionalInt.empty();
    }
    return length - at < 4 ? OptionalInt.empty() : OptionalInt.of(LittleEndian.getInt(body, at));
  }

  /** The body of a success. */
  static byte[] nothing() {
    return VOID.clone();
  }

  /** Whether a body begins as that of a success. */
  public static boolean isNothing(byte[] body, int length) {
    return starts(body, length, VOID) || starts(body, length, VOID_DEBUG);
  }

  /** The body of an error. */
  static byte[] text(String text) {
    var bytes = text.getBytes(UTF_8);
    var count = Math.min(bytes.length, 0xffff);
    if (count <= 0xff) {
      var body = Arrays.copyOf(TEXT, 5 + count);
      body[4] = (byte) count;
      System.arraycopy(bytes, 0, body, 5, count);
      return body;
    }
    var body = Arrays.copyOf(TEXT_WITH_META, 7 + count);
    body[4] = META_TWO_BYTES;
    body[5] = (byte) count;
    body[6] = (byte) (count >>> 8);
    System.arraycopy(bytes, 0, body, 7, count);
    return body;
  }

  /** The text of an error's body; empty if it is none. */
  public static Optional<String> text(byte[] body, int length) {
    if (starts(body, length, TEXT)) {
      return counted(body, 4, length, 1);
    }
    if (!starts(body, length, TEXT_WITH_META) || length < 5) {
      return Optional.empty();
    }
    int meta = body[4];
    int at = 5;
    if ((meta & META_DESCRIPTION) != 0) {
      while (at < length && body[at] != 0) {
        at++;
      }
      at++;
    }
    return switch (meta & META_SIZES) {
      case 0 -> counted(body, at, length, 1);
      case META_TWO_BYTES -> counted(body, at, length, 2);
      default -> Optional.empty();
    };
  }

  private static Optional<String> counted(byte[] body, int at, int length, int width) {
    if (length - at < width) {
      return Optional.empty();
    }
    int count = body[at] & 0xff;
    if (width == 2) {
      count |= (body[at + 1] & 0xff) << 8;
    }
    return length - at - width < count
        ? Optional.empty()
        : Optional.of(new String(body, at + width, count, UTF_8));
  }

  private static boolean starts(byte[] body, int length, byte[] prefix) {
    return length >= prefix.length
        && Arrays.equals(body, 0, prefix.length, prefix, 0, prefix.length);
  }
}

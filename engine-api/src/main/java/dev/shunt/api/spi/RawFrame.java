package dev.shunt.api.spi;

import dev.shunt.api.Notification;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The frame of protocol 0, as Mooncake's TENT engine has it on its notify QP, and as payload in
 * typed frames: {@code u32 name_len, name, u32 msg_len, msg}, little-endian, 65 536 bytes at most.
 */
public final class RawFrame {
  /** The most bytes of a frame. */
  public static final int MAX = 64 << 10;

  private static final int LENGTHS = 2 * Integer.BYTES;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private RawFrame() {}

  /** The bytes of a notification's frame; more than {@link #MAX} means that it does not fit. */
  public static long length(Notification notification) {
    return LENGTHS + utf8(notification.name()) + utf8(notification.message());
  }

  private static long utf8(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes++;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        // A surrogate without its other half becomes a question mark.
        bytes += Character.isSurrogate(c) ? 1 : 3;
      }
    }
    return bytes;
  }

  /**
   * The frame of a notification.
   *
   * @throws IllegalArgumentException if it is longer than {@link #MAX}
   */
  public static byte[] of(Notification notification) {
    long length = length(notification);
    if (length > MAX) {
      throw new IllegalArgumentException(
          "a frame of " + length + " bytes; it has " + MAX + " at most");
    }
    var frame = new byte[(int) length];
    var into = MemorySegment.ofArray(frame);
    long at = write(into, 0, notification.name());
    write(into, at, notification.message());
    return frame;
  }

  private static long write(MemorySegment into, long at, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    into.set(INT, at, bytes.length);
    MemorySegment.copy(bytes, 0, into, ValueLayout.JAVA_BYTE, at + Integer.BYTES, bytes.length);
    return at + Integer.BYTES + bytes.length;
  }

  /**
   * Looks at lengths only, and takes nothing from the heap where all is well. Bytes behind the
   * message are let pass, as TENT does.
   *
   * @return what is wrong; empty if nothing is
   */
  public static Optional<String> check(MemorySegment frame) {
    long length = frame.byteSize();
    if (length < LENGTHS || length > MAX) {
      return Optional.of(
          "a frame of " + length + " bytes; it has between " + LENGTHS + " and " + MAX);
    }
    long name = Integer.toUnsignedLong(frame.get(INT, 0));
    if (name > length - LENGTHS) {
      return Optional.of(
          "a name of "
              + name
              + " bytes; in a frame of "
              + length
              + " there is room for "
              + (length - LENGTHS));
    }
    long message = Integer.toUnsignedLong(frame.get(INT, Integer.BYTES + name));
    if (message > length - LENGTHS - name) {
      return Optional.of(
          "a message of "
              + message
              + " bytes; behind its name there is room for "
              + (length - LENGTHS - name));
    }
    return Optional.empty();
  }

  /**
   * Reads one. Bytes that are no UTF-8 are replaced: TENT's texts may be of any bytes.
   *
   * @throws IllegalArgumentException with what {@link #check} says
   */
  public static Notification read(MemorySegment frame) {
    var wrong = check(frame);
    if (wrong.isPresent()) {
      throw new IllegalArgumentException(wrong.get());
    }
    int name = frame.get(INT, 0);
    int message = frame.get(INT, (long) Integer.BYTES + name);
    return new Notification(
        text(frame, Integer.BYTES, name), text(frame, (long) LENGTHS + name, message));
  }

  private static String text(MemorySegment frame, long at, int length) {
    var bytes = new byte[length];
    MemorySegment.copy(frame, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}

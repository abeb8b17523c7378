package dev.shunt.transport.tcp.core;

import java.util.Optional;

/**
 * An IP address as bytes, without a zone.
 *
 * @param v6 whether it has 16 bytes
 * @param high the first 8 of 16 bytes; 0 for 4
 * @param low the other 8, or all 4
 */
public record IpAddress(boolean v6, long high, long low) {
  private static final int SHORT = 4;
  private static final int LONG = 16;

  /** Takes 4 or 16 bytes; empty if they are another number. */
  public static Optional<IpAddress> of(byte[] bytes, int at, int length) {
    return switch (length) {
      case SHORT -> Optional.of(new IpAddress(false, 0, number(bytes, at, SHORT)));
      case LONG ->
          Optional.of(
              new IpAddress(
                  true, number(bytes, at, Long.BYTES), number(bytes, at + Long.BYTES, Long.BYTES)));
      default -> Optional.empty();
    };
  }

  private static long number(byte[] bytes, int at, int length) {
    long number = 0;
    for (int i = 0; i < length; i++) {
      number = number << Byte.SIZE | bytes[at + i] & 0xff;
    }
    return number;
  }
}

package dev.shunt.transport.rdma.verbs;

import java.util.Optional;

/**
 * The address of a port: 16 bytes, in network order.
 *
 * @param high the first eight
 * @param low the last eight
 */
public record Gid(long high, long low) {
  /** What stands in unused entries. */
  public static final Gid ZERO = new Gid(0, 0);

  private static final int BYTES = 16;

  /** Reads 16 groups of one or two hexadecimal digits with colons between; nothing else. */
  public static Optional<Gid> parse(String text) {
    var groups = text.split(":", -1);
    if (groups.length != BYTES) {
      return Optional.empty();
    }
    long[] halves = {0, 0};
    for (int i = 0; i < BYTES; i++) {
      int value = octet(groups[i]);
      if (value < 0) {
        return Optional.empty();
      }
      halves[i >> 3] = halves[i >> 3] << Byte.SIZE | value;
    }
    return Optional.of(new Gid(halves[0], halves[1]));
  }

  private static int octet(String digits) {
    if (digits.isEmpty() || digits.length() > 2) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      int digit = c < 0x80 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  /** The byte at a place from 0. */
  public int octet(int index) {
    long half = index < 8 ? high : low;
    return (int) (half >>> (56 - 8 * (index & 7))) & 0xff;
  }

  /** Sixteen groups of two digits in lower case, with colons between. */
  @Override
  public String toString() {
    var text = new StringBuilder(47);
    for (int i = 0; i < BYTES; i++) {
      if (i > 0) {
        text.append(':');
      }
      text.append(Character.forDigit(octet(i) >> 4, 16));
      text.append(Character.forDigit(octet(i) & 15, 16));
    }
    return text.toString();
  }
}

package dev.shunt.runtime.control.core;

import dev.shunt.api.sim.Dice;
import java.util.Arrays;

/** Damages bytes: flips, cuts, doubles, and puts in what parsers trip over. */
public final class Mutations {
  private static final String[] SPICE = {
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "null",
    "-1",
    "1e999",
    "99999999999999999999",
    "\\u0000",
    "\\ud800",
    "\u00ff",
    "[[[[[[[[[[[[[[[[",
    "{\"a\":",
    "0",
    "true",
    "\"\"",
    " "
  };

  private Mutations() {}

  /** A damaged copy. */
  public static byte[] of(byte[] bytes, Dice dice) {
    var result = bytes.clone();
    int times = (int) dice.between(1, 4);
    for (int i = 0; i < times && result.length > 0; i++) {
      int at = (int) dice.below(result.length);
      switch ((int) dice.below(5)) {
        case 0 -> result[at] = (byte) dice.next();
        case 1 -> result[at] ^= (byte) (1 << dice.below(8));
        case 2 -> result = Arrays.copyOf(result, at);
        case 3 -> {
          int end = (int) dice.between(at, Math.min(result.length, at + 40L));
          result = splice(result, end, Arrays.copyOfRange(result, at, end), end);
        }
        default -> {
          var spice =
              SPICE[(int) dice.below(SPICE.length)].getBytes(
                  java.nio.charset.StandardCharsets.UTF_8);
          int end = (int) dice.between(at, Math.min(result.length, at + 8L));
          result = splice(result, at, spice, end);
        }
      }
    }
    return result;
  }

  /** Puts something in place of the bytes between two places. */
  private static byte[] splice(byte[] bytes, int from, byte[] put, int to) {
    var result = new byte[from + put.length + bytes.length - to];
    System.arraycopy(bytes, 0, result, 0, from);
    System.arraycopy(put, 0, result, from, put.length);
    System.arraycopy(bytes, to, result, from + put.length, bytes.length - to);
    return result;
  }
}

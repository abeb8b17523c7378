package dev.shunt.transport.nof.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Reads what Identify brings: 4096 bytes, unchecked. */
final class Identify {
  static final int LENGTH = 4096;

  private static final int EUI64 = 1;
  private static final int NGUID = 2;
  private static final int UUID = 3;

  private Identify() {}

  /** The exponent of the largest transfer, in units of the least page; 0 for no limit. */
  static int maxTransferShift(MemorySegment controller) {
    return Le.u8(controller, 77);
  }

  /** The most bytes of in-capsule data on an I/O queue, if it directly follows the command. */
  static long inCapsule(MemorySegment controller) {
    boolean follows = Le.u16(controller, 1800) == 0;
    return follows ? Math.max(0, Le.u32(controller, 1792) * 16 - Sqe.LENGTH) : 0;
  }

  static String model(MemorySegment controller) {
    var bytes = controller.asSlice(24, 40).toArray(ValueLayout.JAVA_BYTE);
    return new String(bytes, StandardCharsets.ISO_8859_1).strip();
  }

  static long blocks(MemorySegment namespace) {
    return Le.i64(namespace, 0);
  }

  private static long format(MemorySegment namespace) {
    int chosen = Le.u8(namespace, 26);
    int index = chosen & 0xf | chosen >> 1 & 0x30;
    return Le.u32(namespace, 128 + 4L * index);
  }

  /** The exponent of the block size. */
  static int blockShift(MemorySegment namespace) {
    return (int) (format(namespace) >> 16 & 0xff);
  }

  /** Bytes of metadata with each block. */
  static int metadata(MemorySegment namespace) {
    return (int) (format(namespace) & 0xffff);
  }

  /** What stands in the namespace's own data: its NGUID or EUI-64. */
  static String identity(MemorySegment namespace) {
    var guid = hex(namespace, 104, 16);
    var eui = hex(namespace, 120, 8);
    return !guid.isEmpty() ? "nguid:" + guid : !eui.isEmpty() ? "eui64:" + eui : "";
  }

  /** The best of a list of descriptors, or what was known before. */
  static String identity(MemorySegment descriptors, String known) {
    var found = known;
    int rank = 0;
    long at = 0;
    while (at + 4 <= LENGTH) {
      int type = Le.u8(descriptors, at);
      int length = Le.u8(descriptors, at + 1);
      if (length == 0 || at + 4 + length > LENGTH) {
        break;
      }
      var value = hex(descriptors, at + 4, length);
      if (!value.isEmpty() && type <= UUID && type > rank) {
        rank = type;
        found =
            switch (type) {
              case EUI64 -> "eui64:" + value;
              case NGUID -> "nguid:" + value;
              default -> "uuid:" + value;
            };
      }
      at += 4 + length;
    }
    return found;
  }

  /** In hexadecimal; empty if all is zero. */
  private static String hex(MemorySegment from, long at, int length) {
    var bytes = from.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    for (var b : bytes) {
      if (b != 0) {
        return HexFormat.of().formatHex(bytes);
      }
    }
    return "";
  }
}

package dev.shunt.transport.tcp.links;

import dev.shunt.transport.tcp.core.IpAddress;
import dev.shunt.transport.tcp.core.LinkTable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The kernel's messages of links and addresses: {@code linux/netlink.h}, {@code linux/rtnetlink.h},
 * {@code linux/if_link.h} and {@code linux/if_addr.h}, in the machine's own byte order. What is not
 * understood is passed over; a length that cannot be ends the reading.
 */
final class RouteMessages {
  static final int GET_LINK = 18;
  static final int GET_ADDRESS = 22;

  private static final int ERROR = 2;
  private static final int DONE = 3;
  private static final int OVERRUN = 4;
  private static final int NEW_LINK = 16;
  private static final int DEL_LINK = 17;
  private static final int NEW_ADDRESS = 20;
  private static final int DEL_ADDRESS = 21;

  private static final int HEADER = 16;
  private static final int LINK = 16;
  private static final int ADDRESS = 8;
  private static final int ATTRIBUTE = 4;
  private static final int REQUEST_DUMP = 1 | 0x300;
  private static final int INTERRUPTED = 0x10;

  private static final int ANY_FAMILY = 0;
  private static final int UP = 1;
  private static final int RUNNING = 0x40;
  private static final int LINK_NAME = 3;
  private static final int PEER_OR_LOCAL = 1;
  private static final int LOCAL = 2;
  private static final int FLAGS = 8;

  /** Doubled, or not known yet to be single; one that may be used meanwhile is none of both. */
  private static final int TENTATIVE = 0x40;

  private static final int DOUBLED = 0x08;
  private static final int OPTIMISTIC = 0x04;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

  /** A bit of what {@link #read} answers: the dump that was asked for is at its end. */
  static final int END = 1;

  /** Another: the dump is not whole, or messages were lost, and all is to be asked for again. */
  static final int AGAIN = 2;

  private RouteMessages() {}

  /** Asks for all links, or all addresses. */
  static byte[] dump(int type, int sequence) {
    int body = type == GET_LINK ? LINK : ADDRESS;
    var message = new byte[HEADER + body];
    INT.set(message, 0, message.length);
    SHORT.set(message, 4, (short) type);
    SHORT.set(message, 6, (short) REQUEST_DUMP);
    INT.set(message, 8, sequence);
    return message;
  }

  /**
   * Reads a datagram into a table.
   *
   * @param sequence of the dump that is waited for; 0 for none
   * @return what it had to say besides: {@link #END}, {@link #AGAIN}, both or 0
   * @throws LinkException if the kernel refused the request
   */
  static int read(byte[] from, int length, int sequence, LinkTable table) {
    int outcome = 0;
    int at = 0;
    while (length - at >= HEADER) {
      int size = (int) INT.get(from, at);
      if (size < HEADER || size > length - at) {
        return outcome | AGAIN;
      }
      boolean ours = sequence != 0 && (int) INT.get(from, at + 8) == sequence;
      if (ours && ((short) SHORT.get(from, at + 6) & INTERRUPTED) != 0) {
        outcome |= AGAIN;
      }
      int body = at + HEADER;
      int end = at + size;
      switch (Short.toUnsignedInt((short) SHORT.get(from, at + 4))) {
        case NEW_LINK -> link(from, body, end, table);
        case DEL_LINK -> linkGone(from, body, end, table);
        case NEW_ADDRESS -> address(from, body, end, true, table);
        case DEL_ADDRESS -> address(from, body, end, false, table);
        case OVERRUN -> outcome |= AGAIN;
        case DONE -> outcome |= ours ? END : 0;
        case ERROR -> refused(from, body, end, ours);
        default -> {
          // A type of another day.
        }
      }
      at += aligned(size);
    }
    return outcome;
  }

  private static void refused(byte[] from, int body, int end, boolean ours) {
    if (ours && end - body >= Integer.BYTES) {
      throw new LinkException(
          "the kernel refused to list interfaces (error " + -(int) INT.get(from, body) + ")");
    }
  }

  private static void link(byte[] from, int body, int end, LinkTable table) {
    if (end - body < LINK || from[body] != ANY_FAMILY) {
      // Bridges tell of their ports by the same type.
      return;
    }
    int flags = (int) INT.get(from, body + 8);
    int at = find(from, body + LINK, end, LINK_NAME);
    var name =
        at < 0
            ? Optional.<String>empty()
            : Optional.of(text(from, at + ATTRIBUTE, at + length(from, at)));
    table.link((int) INT.get(from, body + 4), name, (flags & UP) != 0, (flags & RUNNING) != 0);
  }

  private static void linkGone(byte[] from, int body, int end, LinkTable table) {
    if (end - body >= LINK && from[body] == ANY_FAMILY) {
      table.linkGone((int) INT.get(from, body + 4));
    }
  }

  private static void address(byte[] from, int body, int end, boolean there, LinkTable table) {
    if (end - body < ADDRESS) {
      return;
    }
    int first = body + ADDRESS;
    int local = find(from, first, end, LOCAL);
    int at = local < 0 ? find(from, first, end, PEER_OR_LOCAL) : local;
    if (at < 0) {
      return;
    }
    int wide = find(from, first, end, FLAGS);
    int flags =
        wide >= 0 && length(from, wide) >= ATTRIBUTE + Integer.BYTES
            ? (int) INT.get(from, wide + ATTRIBUTE)
            : from[body + 2] & 0xff;
    boolean usable = (flags & DOUBLED) == 0 && (flags & (TENTATIVE | OPTIMISTIC)) != TENTATIVE;
    int index = (int) INT.get(from, body + 4);
    IpAddress.of(from, at + ATTRIBUTE, length(from, at) - ATTRIBUTE)
        .ifPresent(
            address -> {
              if (there && usable) {
                table.address(index, address);
              } else {
                table.addressGone(index, address);
              }
            });
  }

  /** Where an attribute begins; negative if there is none. */
  private static int find(byte[] from, int first, int end, int type) {
    final int typeMask = 0x3fff;
    for (int at = first; end - at >= ATTRIBUTE; at += aligned(length(from, at))) {
      int length = length(from, at);
      if (length < ATTRIBUTE || length > end - at) {
        return -1;
      }
      if (((short) SHORT.get(from, at + 2) & typeMask) == type) {
        return at;
      }
    }
    return -1;
  }

  private static int length(byte[] from, int at) {
    return Short.toUnsignedInt((short) SHORT.get(from, at));
  }

  private static int aligned(int length) {
    return length + 3 & ~3;
  }

  private static String text(byte[] from, int first, int end) {
    int last = first;
    while (last < end && from[last] != 0) {
      last++;
    }
    return new String(from, first, last - first, StandardCharsets.UTF_8);
  }
}

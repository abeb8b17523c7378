package dev.shunt.runtime.control.core;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What stands in the memory that a node lends for {@code link.echo}: it can be told from a few
 * numbers of its descriptor, and is another one in each generation and at each address.
 */
public final class EchoPage {
  /** The capability. */
  public static final String CAPABILITY = "link.echo";

  /** So much of it is read. */
  public static final int LENGTH = 64;

  private static final long STEP = 0x9e3779b97f4a7c15L;

  private EchoPage() {}

  /** The first {@link #LENGTH} bytes of the page of a generation at an address. */
  public static byte[] content(long generation, long address) {
    var page = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    page.putLong(generation).putLong(address);
    for (long word = generation ^ address; page.hasRemaining(); ) {
      word += STEP;
      page.putLong(mixed(word));
    }
    return page.array();
  }

  private static long mixed(long word) {
    word = (word ^ word >>> 30) * 0xbf58476d1ce4e5b9L;
    word = (word ^ word >>> 27) * 0x94d049bb133111ebL;
    return word ^ word >>> 31;
  }
}

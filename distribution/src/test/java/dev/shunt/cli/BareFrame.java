package dev.shunt.cli;

import java.nio.ByteBuffer;

/**
 * What a bare peer is asked: 24 bytes with the operation, the offset in its memory and the length.
 * A write's payload follows and is acknowledged by 8 bytes once it is in place; a read is answered
 * by its bytes.
 */
final class BareFrame {
  static final int HEADER = 24;
  static final int ACK = 8;
  static final long WRITE = 1;
  static final long READ = 2;

  private BareFrame() {}

  static void put(ByteBuffer into, long operation, long offset, long length) {
    into.clear();
    into.putLong(operation).putLong(offset).putLong(length).flip();
  }
}

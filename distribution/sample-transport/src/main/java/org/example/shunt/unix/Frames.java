package org.example.shunt.unix;

import dev.shunt.api.spi.LinkId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The frames of the stream. Each has a fixed length. */
final class Frames {
  static final int MAGIC = 0x58554853;
  static final int VERSION = 1;

  static final int HELLO = 32;
  static final int WELCOME = 8;
  static final int REQUEST = 32;
  static final int ANSWER = 16;

  static final int WRITE = 1;
  static final int READ = 2;

  static final int OK = 0;
  static final int RANGE = 1;
  static final int ACCESS = 2;
  static final int KEY = 3;
  static final int STALE = 4;
  static final int FENCED = 5;
  static final int BUSY = 6;

  /** The most bytes of one request; both sides know it. */
  static final long MAX_LENGTH = 1L << 30;

  private Frames() {}

  /** Room for any frame. */
  static ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(HELLO).order(ByteOrder.LITTLE_ENDIAN);
  }

  static void hello(ByteBuffer out, LinkId link, long generation) {
    out.clear();
    out.putInt(MAGIC).putInt(VERSION).putLong(link.generation()).putLong(link.attempt());
    out.putLong(generation).flip();
  }

  static void welcome(ByteBuffer out, int status) {
    out.clear();
    out.putInt(status).putInt(0).flip();
  }

  static void request(ByteBuffer out, boolean write, long address, long length, long key) {
    out.clear();
    out.putInt(write ? WRITE : READ).putInt(0).putLong(address).putLong(length).putLong(key);
    out.flip();
  }

  static void answer(ByteBuffer out, int status, long length) {
    out.clear();
    out.putInt(status).putInt(0).putLong(length).flip();
  }

  /** Makes the buffer ready for a frame of that length. */
  static void expect(ByteBuffer in, int length) {
    in.clear().limit(length);
  }
}

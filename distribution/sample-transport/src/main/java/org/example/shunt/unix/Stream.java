package org.example.shunt.unix;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A socket on a lane's selector. */
final class Stream {
  /** What one call moves at most, so that no stream keeps the others waiting. */
  private static final int CHUNK = 1 << 20;

  private final SocketChannel channel;
  private final SelectionKey key;

  /** What is told of it. */
  interface Handler {
    /** Something can be read, or written, or it is connected; or it broke, which a call tells. */
    void ready(long now);
  }

  Stream(Selector selector, SocketChannel channel, int interest, Handler handler)
      throws IOException {
    this.channel = channel;
    channel.configureBlocking(false);
    key = channel.register(selector, interest, handler);
  }

  SocketChannel channel() {
    return channel;
  }

  /** Reads into a frame's buffer; true when it is full. */
  boolean fill(ByteBuffer frame) throws IOException {
    while (frame.hasRemaining()) {
      int n = channel.read(frame);
      if (n < 0) {
        throw new IOException("the other side ended the connection");
      }
      if (n == 0) {
        return false;
      }
    }
    return true;
  }

  /** Writes a frame's buffer; true when it is empty. */
  boolean drain(ByteBuffer frame) throws IOException {
    while (frame.hasRemaining()) {
      if (channel.write(frame) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Reads straight into memory; 0 if nothing is there. */
  int read(MemorySegment memory, long offset, long length) throws IOException {
    int n = channel.read(view(memory, offset, length));
    if (n < 0) {
      throw new IOException("the other side ended the connection");
    }
    return n;
  }

  /** Writes straight from memory; 0 if there is no room. */
  int write(MemorySegment memory, long offset, long length) throws IOException {
    return channel.write(view(memory, offset, length));
  }

  // One short-lived view for each call: a transport that is after the last nanosecond keeps them.
  private static ByteBuffer view(MemorySegment memory, long offset, long length) {
    return memory.asSlice(offset, Math.min(length, CHUNK)).asByteBuffer();
  }

  void interest(boolean write) {
    if (key.isValid()) {
      key.interestOps(SelectionKey.OP_READ | (write ? SelectionKey.OP_WRITE : 0));
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new IllegalStateException("cannot close " + channel, e);
    }
  }
}

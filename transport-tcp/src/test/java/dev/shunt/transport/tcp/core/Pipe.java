package dev.shunt.transport.tcp.core;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/** Two wires that are connected, with little room between them, and nothing around them. */
final class Pipe {
  final End left;
  final End right;
  private final Dice dice;

  /** Reads and writes move a random part where there are dice. */
  Pipe(int capacity, SegmentAllocator allocator, Dice dice) {
    this.dice = dice;
    var there = new Ring(allocator, capacity);
    var back = new Ring(allocator, capacity);
    left = new End(back, there);
    right = new End(there, back);
  }

  final class End implements Wire {
    final Ring in;
    final Ring out;
    boolean wantsRead = true;
    boolean wantsWrite;
    boolean closed;
    boolean broken;
    long writes;

    /** Happens where a write finds no room: the other end may be faster than any loop. */
    Runnable whenFull = () -> {};

    private End(Ring in, Ring out) {
      this.in = in;
      this.out = out;
    }

    boolean readable() {
      return !closed && wantsRead && (in.size() > 0 || in.ended || broken);
    }

    boolean writable() {
      return !closed && wantsWrite && (out.size() < out.capacity || broken);
    }

    @Override
    public long read(MemorySegment into, long offset, long length) {
      check();
      if (in.size() == 0) {
        return in.ended ? -1 : 0;
      }
      long count = part(Math.min(length, in.size()));
      in.read(into, offset, count);
      return count;
    }

    @Override
    public long write(MemorySegment from, long offset, long length) {
      check();
      writes++;
      long count = part(Math.min(length, out.capacity - out.size()));
      out.write(from, offset, count);
      if (count == 0) {
        whenFull.run();
      }
      return count;
    }

    private long part(long most) {
      return dice == null || most <= 1 || dice.permille(500) ? most : dice.between(1, most);
    }

    private void check() {
      if (closed || broken) {
        throw new WireException("the pipe is " + (closed ? "closed" : "broken"));
      }
    }

    @Override
    public void interest(boolean read, boolean write) {
      wantsRead = read;
      wantsWrite = write;
    }

    @Override
    public InetSocketAddress local() {
      throw new UnsupportedOperationException();
    }

    @Override
    public InetSocketAddress remote() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      closed = true;
      out.ended = true;
    }

    @Override
    public void abort() {
      close();
    }
  }

  static final class Ring {
    private final MemorySegment memory;
    final long capacity;
    private long read;
    private long written;
    private boolean ended;

    private Ring(SegmentAllocator allocator, int capacity) {
      this.capacity = capacity;
      memory = allocator.allocate(capacity);
    }

    long size() {
      return written - read;
    }

    long written() {
      return written;
    }

    /** Damages a byte that is under way, by its place in the stream. */
    void damage(long position) {
      if (position < read || position >= written) {
        throw new IllegalArgumentException(position + " is not under way");
      }
      byte old = memory.get(ValueLayout.JAVA_BYTE, position % capacity);
      memory.set(ValueLayout.JAVA_BYTE, position % capacity, (byte) (old ^ 16));
    }

    private void read(MemorySegment into, long offset, long count) {
      long at = read % capacity;
      long first = Math.min(count, capacity - at);
      MemorySegment.copy(memory, at, into, offset, first);
      MemorySegment.copy(memory, 0, into, offset + first, count - first);
      read += count;
    }

    private void write(MemorySegment from, long offset, long count) {
      long at = written % capacity;
      long first = Math.min(count, capacity - at);
      MemorySegment.copy(from, offset, memory, at, first);
      MemorySegment.copy(from, offset + first, memory, 0, count - first);
      written += count;
    }
  }
}

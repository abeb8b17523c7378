package dev.shunt.transport.nof;

import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.WireServer;
import dev.shunt.transport.nof.core.Le;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** A loop with one wire, and behind it a target that answers at once and makes no object. */
final class EchoWire implements WireLoop, Wire {
  private static final InetSocketAddress NOWHERE = new InetSocketAddress(1);

  private final MemorySegment sent = Arena.ofAuto().allocate(4 << 20);
  private final MemorySegment answers = Arena.ofAuto().allocate(4 << 20);
  private WireHandler handler;
  private boolean fresh;
  private long got;
  private long head;
  private long tail;

  @Override
  public Wire connect(InetSocketAddress local, InetSocketAddress remote, WireHandler owner) {
    handler = owner;
    fresh = true;
    return this;
  }

  @Override
  public int poll(long now) {
    if (fresh) {
      fresh = false;
      handler.connected(this, now);
      return 1;
    }
    if (head == tail) {
      return 0;
    }
    handler.readable(this, now);
    return 1;
  }

  @Override
  public long read(MemorySegment into, long offset, long length) {
    long bytes = Math.min(length, tail - head);
    MemorySegment.copy(answers, head, into, offset, bytes);
    head += bytes;
    if (head == tail) {
      head = 0;
      tail = 0;
    }
    return bytes;
  }

  @Override
  public long write(MemorySegment from, long offset, long length) {
    MemorySegment.copy(from, offset, sent, got, length);
    got += length;
    long at = 0;
    while (got - at >= 8 && got - at >= Le.u32(sent, at + 4)) {
      answer(at);
      at += Le.u32(sent, at + 4);
    }
    MemorySegment.copy(sent, at, sent, 0, got - at);
    got -= at;
    return length;
  }

  private void pdu(int type, int flags, int own, long length) {
    Le.put32(answers, tail, type | flags << 8 | own << 16);
    Le.put32(answers, tail + 4, length);
    for (int i = 8; i < own; i += 4) {
      Le.put32(answers, tail + i, 0);
    }
  }

  private void answer(long at) {
    int type = Le.u8(sent, at);
    if (type == 0) {
      pdu(1, 0, 128, 128);
      Le.put32(answers, tail + 12, 8192);
      tail += 128;
      return;
    }
    int id = Le.u16(sent, at + (type == 4 ? 10 : 8));
    int opcode = type == 4 ? Le.u8(sent, at + 8) : 0;
    long length = type == 4 ? Le.u32(sent, at + 40) : 0;
    if (opcode == 2) {
      pdu(7, 4 | 8, 24, 24 + length);
      Le.put8(answers, tail + 3, 24);
      Le.put16(answers, tail + 8, id);
      Le.put32(answers, tail + 16, length);
      tail += 24 + length;
    } else if (opcode == 1 && Le.u32(sent, at + 4) == 72) {
      pdu(9, 0, 24, 24);
      Le.put16(answers, tail + 8, id);
      Le.put32(answers, tail + 16, length);
      tail += 24;
    } else if (type == 4 || (Le.u8(sent, at + 1) & 4) != 0) {
      pdu(5, 0, 24, 24);
      Le.put32(answers, tail + 8, opcode == 0x7f ? 7 : 0);
      Le.put16(answers, tail + 20, id);
      tail += 24;
    }
  }

  @Override
  public WireServer listen(InetSocketAddress address, WireServer.Handler accepting) {
    throw new AssertionError("an initiator does not listen");
  }

  @Override
  public void park(long deadline) {}

  @Override
  public void wake() {}

  @Override
  public void interest(boolean read, boolean write) {}

  @Override
  public InetSocketAddress local() {
    return NOWHERE;
  }

  @Override
  public InetSocketAddress remote() {
    return NOWHERE;
  }

  @Override
  public void close() {}

  @Override
  public void abort() {}
}

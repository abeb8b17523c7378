package dev.shunt.transport.rdma.testing;

import dev.shunt.api.sim.Event;
import dev.shunt.transport.rdma.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A packet on its way. Carries its bytes with it, as they were when it was sent. */
final class SoftPacket extends Event {
  private final SoftFabric fabric;
  private SoftPath path;
  Kind kind;
  Gid sourceGid;
  int sourceQp;
  int targetQp;
  long psn;
  long address;
  long length;
  long offset;
  int rkey;
  int packets;
  boolean last;
  private byte[] payload = new byte[0];
  private int bytes;

  enum Kind {
    WRITE,
    READ,
    SEND,
    RESPONSE,
    ACK,
    NAK_SEQUENCE,
    NAK_ACCESS,
    NAK_INVALID,
    NAK_NOT_READY
  }

  SoftPacket(SoftFabric fabric) {
    this.fabric = fabric;
  }

  SoftPacket of(Kind what, SoftQp source, int target, long number) {
    kind = what;
    sourceGid = source.gid();
    sourceQp = source.number();
    targetQp = target;
    psn = number;
    bytes = 0;
    last = false;
    return this;
  }

  /** Takes bytes with it. */
  void load(MemorySegment from, long at, int count) {
    if (payload.length < count) {
      payload = new byte[count];
    }
    MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, payload, 0, count);
    bytes = count;
  }

  void unload(MemorySegment into, long at) {
    MemorySegment.copy(payload, 0, into, ValueLayout.JAVA_BYTE, at, bytes);
  }

  int bytes() {
    return bytes;
  }

  void sent(SoftPath by) {
    path = by;
  }

  SoftPacket copy() {
    var copy = fabric.packet();
    copy.path = path;
    copy.kind = kind;
    copy.sourceGid = sourceGid;
    copy.sourceQp = sourceQp;
    copy.targetQp = targetQp;
    copy.psn = psn;
    copy.address = address;
    copy.length = length;
    copy.offset = offset;
    copy.rkey = rkey;
    copy.packets = packets;
    copy.last = last;
    copy.load(MemorySegment.ofArray(payload), 0, bytes);
    return copy;
  }

  @Override
  protected void fire(long now) {
    fabric.world().trace().add(now, "packet", (long) targetQp << 8 | kind.ordinal(), psn);
    if (path.arrives(this)) {
      path.to().receive(this);
      fabric.recycle(this);
    }
  }
}

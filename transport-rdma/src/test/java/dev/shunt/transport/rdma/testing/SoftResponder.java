package dev.shunt.transport.rdma.testing;

import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.AsyncEvents;
import dev.shunt.transport.rdma.verbs.Verbs;

/**
 * The receiving half of a QP: takes packets in order, checks keys, ranges and rights, applies, and
 * acknowledges. It serves without its process.
 */
final class SoftResponder {
  private static final int LOCAL_LENGTH = 1;
  private static final int LOCAL_PROTECTION = 4;

  private final SoftQp qp;
  private long expected;
  private boolean complained;
  private SoftQp.Receive receive;

  SoftResponder(SoftQp qp) {
    this.qp = qp;
  }

  void begin(long psn) {
    expected = psn;
  }

  void request(SoftPacket packet) {
    if (packet.psn > expected) {
      if (!complained) {
        complained = true;
        qp.send(qp.packet(SoftPacket.Kind.NAK_SEQUENCE, expected));
      }
      return;
    }
    boolean again = packet.psn < expected;
    boolean write = packet.kind != SoftPacket.Kind.READ;
    if (again && write) {
      qp.send(qp.packet(SoftPacket.Kind.ACK, expected - 1));
      return;
    }
    if (packet.kind == SoftPacket.Kind.SEND) {
      message(packet);
      return;
    }
    int access = write ? Verbs.ACCESS_REMOTE_WRITE : Verbs.ACCESS_REMOTE_READ;
    if ((qp.attributes().access() & access) == 0) {
      refuse(packet, SoftPacket.Kind.NAK_INVALID, AsyncEvents.QP_REQ_ERR);
      return;
    }
    var region = qp.device().region(packet.rkey);
    // Nothing of nothing needs no key.
    if (packet.length > 0
        && (region == null || !region.allows(packet.address, packet.length, access))) {
      refuse(packet, SoftPacket.Kind.NAK_ACCESS, AsyncEvents.QP_ACCESS_ERR);
      return;
    }
    complained = false;
    if (write) {
      apply(packet, region);
    } else {
      respond(packet, region);
    }
  }

  private void refuse(SoftPacket packet, SoftPacket.Kind kind, int event) {
    qp.send(qp.packet(kind, packet.psn));
    qp.broken(event);
  }

  private void apply(SoftPacket packet, SoftRegion region) {
    if (packet.bytes() > 0) {
      long at = region.offset(packet.address) + packet.offset;
      packet.unload(region.memory(), at);
      var world = qp.device().fabric().world();
      world.memory().wrote(qp.who(), region.memory(), at, packet.bytes(), world.now());
    }
    expected++;
    if (packet.last) {
      qp.send(qp.packet(SoftPacket.Kind.ACK, packet.psn));
    }
  }

  /** Into the next receive that is posted; without one the peer waits, and sends again. */
  private void message(SoftPacket packet) {
    if (receive == null) {
      receive = qp.nextReceive();
    }
    if (receive == null) {
      complained = true;
      var nak = qp.packet(SoftPacket.Kind.NAK_NOT_READY, packet.psn);
      nak.length = RnrTimer.nanos(qp.attributes().minRnrTimer());
      qp.send(nak);
      return;
    }
    complained = false;
    if (packet.length > receive.length()) {
      take(LOCAL_LENGTH, 0);
      refuse(packet, SoftPacket.Kind.NAK_INVALID, AsyncEvents.QP_REQ_ERR);
      return;
    }
    var region = qp.device().region(receive.lkey());
    int access = Verbs.ACCESS_LOCAL_WRITE;
    if (packet.length > 0
        && (region == null || !region.allows(receive.address(), packet.length, access))) {
      take(LOCAL_PROTECTION, 0);
      refuse(packet, SoftPacket.Kind.NAK_INVALID, AsyncEvents.QP_FATAL);
      return;
    }
    if (packet.bytes() > 0) {
      long at = region.offset(receive.address()) + packet.offset;
      packet.unload(region.memory(), at);
      var world = qp.device().fabric().world();
      world.memory().wrote(qp.who(), region.memory(), at, packet.bytes(), world.now());
    }
    expected++;
    if (packet.last) {
      take(0, (int) packet.length);
      qp.send(qp.packet(SoftPacket.Kind.ACK, packet.psn));
    }
  }

  private void take(int status, int bytes) {
    var taken = receive;
    receive = null;
    qp.received(taken, status, bytes);
  }

  /** A message that had begun comes back as its receive: empty. */
  void flush() {
    if (receive != null) {
      take(SoftQp.FLUSHED, 0);
    }
  }

  private void respond(SoftPacket packet, SoftRegion region) {
    int mtu = PathMtu.bytes(qp.peer().pathMtu());
    for (int i = 0; i < packet.packets; i++) {
      long offset = packet.offset + (long) i * mtu;
      var response = qp.packet(SoftPacket.Kind.RESPONSE, packet.psn + i);
      int count = (int) Math.min(mtu, packet.length - offset);
      response.load(region.memory(), region.offset(packet.address) + offset, count);
      qp.send(response);
    }
    expected = Math.max(expected, packet.psn + packet.packets);
  }
}

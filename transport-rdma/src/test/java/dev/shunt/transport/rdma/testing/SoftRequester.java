package dev.shunt.transport.rdma.testing;

import dev.shunt.api.sim.Event;
import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsQp;

/**
 * The sending half of a QP: numbers packets, keeps a window of them under way, sends again what is
 * not acknowledged in time, and gives up after so many times.
 */
final class SoftRequester extends Event {
  private static final int LOCAL_LENGTH = 1;
  private static final int LOCAL_PROTECTION = 4;
  private static final int REMOTE_INVALID = 9;
  private static final int REMOTE_ACCESS = 10;
  private static final int RETRIES_EXCEEDED = 12;
  private static final int NOT_READY_EXCEEDED = 13;
  private static final int FOR_EVER = 7;
  private static final int WINDOW = 64;

  /** One work request; used again. */
  private static final class Work {
    long wrId;
    boolean write;
    boolean message;
    long localAddress;
    int lkey;
    long length;
    long remoteAddress;
    int rkey;
    long first;
    int packets;

    long end() {
      return first + packets;
    }
  }

  private final SoftQp qp;
  private Work[] works;
  private int head;
  private int size;
  private long next;
  private long unacknowledged;
  private long cursor;
  private int retries;
  private int waits;
  private boolean waiting;
  private boolean stalled;

  SoftRequester(SoftQp qp, int capacity) {
    this.qp = qp;
    works = new Work[capacity];
    for (int i = 0; i < capacity; i++) {
      works[i] = new Work();
    }
  }

  private Work peek() {
    return size == 0 ? null : works[head];
  }

  private Work poll() {
    var work = works[head];
    head = (head + 1) % works.length;
    size--;
    return work;
  }

  int size() {
    return size;
  }

  void begin(long psn) {
    next = psn;
    unacknowledged = psn;
    cursor = psn;
  }

  private int mtu() {
    return PathMtu.bytes(qp.peer().pathMtu());
  }

  void post(long wrId, int opcode, long local, int lkey, long length, long remote, int rkey) {
    int packets = (int) Math.max(1, (length + mtu() - 1) / mtu());
    var work = works[(head + size++) % works.length];
    work.wrId = wrId;
    work.write = opcode != VerbsQp.READ;
    work.message = opcode == VerbsQp.SEND;
    work.localAddress = local;
    work.lkey = lkey;
    work.length = length;
    work.remoteAddress = remote;
    work.rkey = rkey;
    work.first = next;
    work.packets = packets;
    next += packets;
    transmit();
  }

  /** Does nothing from here on. */
  void stall() {
    stalled = true;
    stop();
  }

  private void transmit() {
    if (waiting || stalled) {
      return;
    }
    while (qp.state() == SoftQp.State.RTS && cursor < next && cursor - unacknowledged < WINDOW) {
      var work = at(cursor);
      int error = localError(work);
      if (error != 0) {
        // What was posted before it still has its chance.
        if (work == peek()) {
          fail(error);
        }
        return;
      }
      if (work.write) {
        sendWrite(work);
      } else {
        sendRead(work);
      }
    }
    watch();
  }

  private Work at(long psn) {
    for (int i = 0; i < size; i++) {
      var work = works[(head + i) % works.length];
      if (psn < work.end()) {
        return work;
      }
    }
    throw new IllegalStateException("packet " + psn + " of " + next + " belongs to no work");
  }

  private int localError(Work work) {
    if (work.length > qp.nic().maxMessage()) {
      return LOCAL_LENGTH;
    }
    if (work.length == 0) {
      return 0;
    }
    var region = qp.device().region(work.lkey);
    int access = work.write ? 0 : Verbs.ACCESS_LOCAL_WRITE;
    return region != null && region.allows(work.localAddress, work.length, access)
        ? 0
        : LOCAL_PROTECTION;
  }

  private void sendWrite(Work work) {
    long offset = (cursor - work.first) * mtu();
    var region = qp.device().region(work.lkey);
    var kind = work.message ? SoftPacket.Kind.SEND : SoftPacket.Kind.WRITE;
    var packet = describe(qp.packet(kind, cursor), work, offset);
    int count = (int) Math.min(mtu(), work.length - offset);
    if (count > 0) {
      packet.load(region.memory(), region.offset(work.localAddress) + offset, count);
    }
    packet.last = ++cursor == work.end();
    qp.send(packet);
  }

  private void sendRead(Work work) {
    long offset = (cursor - work.first) * mtu();
    var packet = describe(qp.packet(SoftPacket.Kind.READ, cursor), work, offset);
    packet.packets = (int) (work.end() - cursor);
    cursor = work.end();
    qp.send(packet);
  }

  private static SoftPacket describe(SoftPacket packet, Work work, long offset) {
    packet.address = work.remoteAddress;
    packet.length = work.length;
    packet.offset = offset;
    packet.rkey = work.rkey;
    return packet;
  }

  void answer(SoftPacket packet) {
    if (stalled) {
      return;
    }
    switch (packet.kind) {
      case ACK -> acknowledged(packet.psn);
      case RESPONSE -> response(packet);
      case NAK_SEQUENCE -> {
        acknowledged(packet.psn - 1);
        cursor = Math.max(unacknowledged, Math.min(cursor, packet.psn));
      }
      case NAK_ACCESS -> refused(packet.psn, REMOTE_ACCESS);
      case NAK_INVALID -> refused(packet.psn, REMOTE_INVALID);
      case NAK_NOT_READY -> notReady(packet.psn, packet.length);
      case WRITE, READ, SEND -> throw new IllegalStateException("a request is no answer");
    }
    transmit();
  }

  /** Everything up to a packet has been applied; a read ends by its responses only. */
  private void acknowledged(long psn) {
    while (size > 0 && peek().write && peek().end() - 1 <= psn) {
      finished();
    }
    if (size > 0 && peek().write && psn >= unacknowledged) {
      unacknowledged = psn + 1;
      progress();
    }
    cursor = Math.max(cursor, unacknowledged);
  }

  private void response(SoftPacket packet) {
    acknowledged(packet.psn - 1);
    var work = peek();
    if (work == null || work.write || packet.psn != unacknowledged) {
      return;
    }
    var region = qp.device().region(work.lkey);
    if (localError(work) != 0) {
      fail(LOCAL_PROTECTION);
      return;
    }
    if (packet.bytes() > 0) {
      long at = region.offset(work.localAddress) + (packet.psn - work.first) * mtu();
      packet.unload(region.memory(), at);
      var world = qp.device().fabric().world();
      world.memory().wrote(qp.who(), region.memory(), at, packet.bytes(), world.now());
    }
    unacknowledged++;
    cursor = Math.max(cursor, unacknowledged);
    progress();
    if (unacknowledged == work.end()) {
      finished();
    }
  }

  private void finished() {
    var work = poll();
    unacknowledged = work.end();
    progress();
    qp.complete(work.wrId, 0);
  }

  private void refused(long psn, int status) {
    acknowledged(psn - 1);
    if (size > 0 && psn >= peek().first && psn < peek().end()) {
      fail(status);
    }
  }

  /** The peer has no receive for a message: it is sent again after a while. */
  private void notReady(long psn, long nanos) {
    acknowledged(psn - 1);
    if (waiting || psn != unacknowledged || size == 0) {
      return;
    }
    if (qp.attributes().rnrRetry() != FOR_EVER && waits == qp.attributes().rnrRetry()) {
      fail(NOT_READY_EXCEEDED);
      return;
    }
    waits++;
    waiting = true;
    cursor = unacknowledged;
    var world = qp.device().fabric().world();
    world.cancel(this);
    world.schedule(this, world.now() + nanos);
  }

  /** The first work fails, and all after it is flushed. */
  private void fail(int status) {
    qp.complete(poll().wrId, status);
    qp.enterError();
  }

  void cut() {
    fail(RETRIES_EXCEEDED);
  }

  void flush() {
    stop();
    while (size > 0) {
      qp.complete(poll().wrId, SoftQp.FLUSHED);
    }
  }

  /** What was posted is forgotten. */
  void forget() {
    stop();
    head = 0;
    size = 0;
  }

  /** The QP is gone, and with it what it held. */
  void end() {
    stop();
    works = new Work[0];
    size = 0;
  }

  void stop() {
    qp.device().fabric().world().cancel(this);
  }

  private void progress() {
    retries = 0;
    waits = 0;
    waiting = false;
    qp.device().fabric().world().cancel(this);
  }

  private void watch() {
    if (unacknowledged < next && !scheduled() && qp.state() == SoftQp.State.RTS) {
      var world = qp.device().fabric().world();
      world.schedule(this, world.now() + (4096L << qp.attributes().timeout()));
    }
  }

  @Override
  protected void fire(long now) {
    if (qp.state() != SoftQp.State.RTS || size == 0) {
      return;
    }
    if (waiting) {
      waiting = false;
      transmit();
      return;
    }
    if (retries == qp.attributes().retryCount()) {
      fail(RETRIES_EXCEEDED);
      return;
    }
    retries++;
    cursor = unacknowledged;
    transmit();
  }
}

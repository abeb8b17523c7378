package dev.shunt.transport.rdma.testing;

import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.QpAttributes;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.QpPeer;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import java.util.ArrayDeque;

/** A reliable connected QP: its states, and the two halves that do the work. */
final class SoftQp implements VerbsQp {
  static final int FLUSHED = 5;
  private static final int BUSY = 16;

  private final SoftDevice device;
  private final SoftNic nic;
  private final SoftCq cq;
  private final QpCapacity capacity;
  private final int number;
  private final String who;
  private final SoftRequester requester;
  private final SoftResponder responder;
  private final ArrayDeque<Receive> receives = new ArrayDeque<>();
  private State state = State.RESET;
  private QpAttributes attributes;
  private QpPeer peer;

  /** Where a message goes. */
  record Receive(long wrId, long address, int lkey, int length) {}

  enum State {
    RESET,
    INIT,
    RTR,
    RTS,
    ERR,
    GONE
  }

  SoftQp(SoftDevice device, SoftCq cq, QpCapacity capacity) {
    this.device = device;
    this.cq = cq;
    this.capacity = capacity;
    nic = device.nic();
    number = nic.add(this);
    who = device.process().name() + " " + nic.name() + " qp " + number;
    requester = new SoftRequester(this, capacity.send());
    responder = new SoftResponder(this);
  }

  SoftDevice device() {
    return device;
  }

  SoftNic nic() {
    return nic;
  }

  String who() {
    return who;
  }

  State state() {
    return state;
  }

  QpAttributes attributes() {
    return attributes;
  }

  /** The address that it sends from. */
  Gid gid() {
    return nic.gid(attributes.gidIndex());
  }

  QpPeer peer() {
    return peer;
  }

  /** Sends a packet to the peer, if there is a NIC of that address. */
  void send(SoftPacket packet) {
    var target = device.fabric().byGid(peer.gid());
    if (target == null) {
      device.fabric().recycle(packet);
    } else {
      nic.path(target).send(packet, 64 + packet.bytes());
    }
  }

  SoftPacket packet(SoftPacket.Kind kind, long psn) {
    return device.fabric().packet().of(kind, this, peer.qpNumber(), psn);
  }

  void complete(long wrId, int status) {
    if (status == FLUSHED && nic.faults().keepsFlushes || status == 0 && nic.faults().swallows()) {
      return;
    }
    cq.push(wrId, status, number, 0);
  }

  /** The next receive, or null where none is posted. */
  Receive nextReceive() {
    return receives.poll();
  }

  void received(Receive receive, int status, int bytes) {
    if (status == FLUSHED && nic.faults().keepsFlushes) {
      return;
    }
    cq.push(receive.wrId(), status, number, bytes);
  }

  void receive(SoftPacket packet) {
    boolean receives = state == State.RTR || state == State.RTS;
    if (!receives
        || packet.sourceQp != peer.qpNumber()
        || !packet.sourceGid.equals(peer.gid())
        || packet.bytes() > PathMtu.bytes(peer.pathMtu())) {
      return;
    }
    switch (packet.kind) {
      case WRITE, READ, SEND -> responder.request(packet);
      case RESPONSE, ACK, NAK_SEQUENCE, NAK_ACCESS, NAK_INVALID, NAK_NOT_READY -> {
        if (state == State.RTS) {
          requester.answer(packet);
        }
      }
    }
  }

  /** It breaks by itself: into error, with an event. */
  void broken(int event) {
    if (state != State.GONE) {
      enterError();
      device.event(event, number);
    }
  }

  /** Its connection is cut: what it has under way fails, as after all retries. */
  void cut() {
    if (state == State.RTS && requester.size() > 0) {
      requester.cut();
    } else if (state != State.GONE) {
      enterError();
    }
  }

  /** Somebody resets it. */
  void reset() {
    if (state != State.GONE) {
      state = State.RESET;
      requester.forget();
      receives.clear();
    }
  }

  void enterError() {
    state = State.ERR;
    requester.flush();
    responder.flush();
    while (!receives.isEmpty()) {
      received(receives.poll(), FLUSHED, 0);
    }
  }

  void vanish() {
    state = State.GONE;
    requester.end();
    nic.remove(this);
    device.removed(this);
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public int init(QpAttributes with) {
    attributes = with;
    return move(State.RESET, State.INIT);
  }

  @Override
  public int readyToReceive(QpAttributes with, QpPeer to) {
    if (to.pathMtu() < 1 || to.pathMtu() > nic.mtu() || nic.refusesAddress(with.gidIndex())) {
      return VerbsException.EINVAL;
    }
    attributes = with;
    peer = to;
    responder.begin(with.receivePsn());
    return move(State.INIT, State.RTR);
  }

  @Override
  public int readyToSend(QpAttributes with) {
    requester.begin(with.sendPsn());
    return move(State.RTR, State.RTS);
  }

  private int move(State from, State to) {
    if (state != from || nic.faults().refusesModify()) {
      return VerbsException.EINVAL;
    }
    if (device.broken()) {
      return VerbsException.EIO;
    }
    state = to;
    return 0;
  }

  @Override
  public int error() {
    if (state == State.GONE) {
      return 0;
    }
    if (nic.faults().refusesModify()) {
      return VerbsException.EINVAL;
    }
    if (device.broken()) {
      return VerbsException.EIO;
    }
    nic.erred();
    enterError();
    return 0;
  }

  @Override
  public int post(
      long wrId,
      int opcode,
      long localAddress,
      int lkey,
      int length,
      long remoteAddress,
      int rkey) {
    if (device.broken()) {
      return VerbsException.EIO;
    }
    if (nic.faults().refusesPost() || requester.size() == capacity.send()) {
      return VerbsException.ENOMEM;
    }
    if (state == State.ERR) {
      complete(wrId, FLUSHED);
      return 0;
    }
    if (state != State.RTS) {
      return VerbsException.EINVAL;
    }
    if (nic.faults().stalls()) {
      requester.stall();
    }
    requester.post(wrId, opcode, localAddress, lkey, length, remoteAddress, rkey);
    return 0;
  }

  @Override
  public int probe(long wrId) {
    return post(wrId, WRITE, 0, 0, 0, 0, 0);
  }

  @Override
  public int postReceive(long wrId, long localAddress, int lkey, int length) {
    if (receives.size() == capacity.receive() || nic.refusesReceive()) {
      return VerbsException.ENOMEM;
    }
    if (state == State.RESET) {
      return VerbsException.EINVAL;
    }
    var receive = new Receive(wrId, localAddress, lkey, length);
    if (state == State.ERR) {
      received(receive, FLUSHED, 0);
    } else {
      receives.add(receive);
    }
    return 0;
  }

  @Override
  public int close() {
    if (state == State.GONE) {
      return 0;
    }
    if (nic.faults().refusesClose()) {
      return BUSY;
    }
    vanish();
    cq.forget(number);
    return 0;
  }
}

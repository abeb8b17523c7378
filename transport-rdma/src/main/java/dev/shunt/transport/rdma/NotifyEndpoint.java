package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.transport.rdma.core.EndpointLife;
import dev.shunt.transport.rdma.core.EndpointLife.State;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/**
 * The supervisor's half of a notify QP: owns the QP, its completion queue and its slots. The lane's
 * half is {@link NotifyEnd}. It is destroyed when that has handed up all that landed, and not
 * before: destroying a QP takes with it what of its work was not polled.
 */
final class NotifyEndpoint implements QpOwner {
  private final Notifications all;
  private final String name;
  private final RdmaRail rail;
  private final RdmaDevice device;
  private final int lane;
  private final VerbsCq cq;
  private final QpSet qps;
  private final int mtu;
  private final Owner owner;
  private final NotifyEnd end;
  private final EndpointLife life = new EndpointLife();
  private final List<NotifySlab> slabs = new ArrayList<>();
  private Supervisor.Timer timer = () -> {};
  private boolean busy;
  private boolean grows = true;

  /** Who made it, and hears what becomes of it. On the supervisor. */
  interface Owner {
    /** Its handshake came to nothing; once, and only if it was not connected. */
    void lost(Fault fault);

    /** It begins to end by itself, or because somebody ended it. */
    default void ends(Fault cause) {}

    /** Whether it goes with a data link, and serves the peer as well. */
    default boolean shared() {
      return false;
    }

    /** It is destroyed; or, if not, kept aside because its device does not let go of it. */
    void gone(boolean destroyed);
  }

  NotifyEndpoint(
      Notifications all,
      String name,
      RdmaRail rail,
      int lane,
      VerbsCq cq,
      QpSet qps,
      QpCapacity capacity,
      int mtu,
      Owner owner) {
    this.all = all;
    this.name = name;
    this.rail = rail;
    device = rail.device();
    this.lane = lane;
    this.cq = cq;
    this.qps = qps;
    this.mtu = mtu;
    this.owner = owner;
    end = new NotifyEnd(this, all.settings(), capacity);
    qps.owner(this);
  }

  @Override
  public RdmaRail rail() {
    return rail;
  }

  /** The device that it was made with; its rail may have another context by now. */
  RdmaDevice device() {
    return device;
  }

  int lane() {
    return lane;
  }

  VerbsCq cq() {
    return cq;
  }

  QpSet qps() {
    return qps;
  }

  /** What our port takes, as a constant of verbs. */
  int mtu() {
    return mtu;
  }

  boolean shared() {
    return owner.shared();
  }

  /** Its QP's number. */
  int number() {
    return qps.get(0).number();
  }

  Owner owner() {
    return owner;
  }

  /** Untouched from here once a lane has adopted it. */
  NotifyEnd end() {
    return end;
  }

  EndpointLife life() {
    return life;
  }

  boolean connected() {
    return life.state() == State.CONNECTED;
  }

  /** Whether an attempt has its QP in hand. */
  boolean busy() {
    return busy;
  }

  void busy(boolean now) {
    busy = now;
  }

  void timer(Supervisor.Timer next) {
    timer.cancel();
    timer = next;
  }

  /**
   * Adds slots for sending.
   *
   * @throws VerbsException if there is no memory for them
   */
  NotifySlab slab(int slots) {
    var slab = NotifySlab.make(device, slots);
    slabs.add(slab);
    return slab;
  }

  /** From the lane: more of its frames wait than it has slots for. */
  void growSends(int slots) {
    var slab = more(slots);
    all.onLane(this, () -> end.moreSends(slab));
  }

  /** From the lane: its sender is faster than its receives. */
  void growReceives(int slots) {
    var slab = more(slots);
    all.onLane(this, () -> end.moreReceives(slab));
  }

  private NotifySlab more(int slots) {
    if (!connected() || !grows) {
      return null;
    }
    try {
      return slab(slots);
    } catch (VerbsException e) {
      grows = false;
      all.warn(
          this
              + ": it stays with the slots that it has: "
              + e.getMessage()
              + LockedMemory.hint(e, (long) slots * NotifySlab.SLOT));
      return null;
    }
  }

  /** Ends it, whatever it is in. */
  void retire(Fault fault) {
    switch (life.state()) {
      case INITIALIZING, CONNECTING -> {
        life.failed();
        timer(() -> {});
        owner.lost(fault);
        if (!busy) {
          all.ended(this);
        }
      }
      case CONNECTED -> all.onLane(this, () -> end.end(fault));
      case DRAINING, QUARANTINED, DESTROYED -> {}
    }
  }

  /** Ends it with the context that it was made with, whatever it is in. */
  void lose(Fault fault) {
    switch (life.state()) {
      case INITIALIZING, CONNECTING -> retire(fault);
      case CONNECTED, DRAINING, QUARANTINED -> all.onLane(this, () -> end.lose(fault));
      case DESTROYED -> {}
    }
  }

  /** From the lane: its queue says nothing any more. */
  void queueBroken(String text) {
    if (rail.hasDevice() && rail.device() == device) {
      rail.broken(text);
    }
  }

  @Override
  public void qpBroken(String event) {
    var text = this + ": " + event;
    retire(new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text));
  }

  @Override
  public String qpState() {
    return switch (life.state()) {
      case INITIALIZING, CONNECTING -> "INIT";
      case CONNECTED -> "RTS";
      case DRAINING, QUARANTINED, DESTROYED -> "ERR";
    };
  }

  /** From the lane: nothing new is sent or received. */
  void drain(Fault cause) {
    if (!life.drain()) {
      return;
    }
    owner.ends(cause);
    int error = qps.error();
    if (error != 0) {
      all.warn(this + ": its QP could not be taken to ERR: " + VerbsException.text(error));
    }
    long wait = all.settings().endpoint().drainTimeout().toNanos();
    timer(all.context().supervisor().at(all.context().now() + wait, this::overdue));
  }

  /** From the lane: all that was posted has come back, and what landed was handed up. */
  void drained() {
    boolean quarantined = life.state() == State.QUARANTINED;
    if (!life.drained()) {
      return;
    }
    timer(() -> {});
    if (quarantined) {
      rail.life().released();
    }
    all.ended(this);
  }

  private void overdue() {
    if (life.overdue()) {
      all.quarantined(this, "what was posted did not come back, or was not taken");
    }
  }

  /** Its lane ended before it could adopt it. */
  void abandonedByLane() {
    life.drain();
    qps.error();
    drained();
  }

  /** Frees everything; answers with the last error number, or 0. */
  int close() {
    int error = qps.close();
    if (error != 0) {
      return error;
    }
    error = cq.close();
    for (var slab : slabs) {
      int kept = slab.close();
      error = kept != 0 ? kept : error;
    }
    slabs.clear();
    return error;
  }

  @Override
  public String toString() {
    return name;
  }
}

package dev.shunt.transport.rdma.testing;

import dev.shunt.transport.rdma.verbs.AsyncEvents;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.QpAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * A NIC of a machine, with one port if it is not told to have more: outlives the processes that use
 * it.
 */
public final class SoftNic {
  private final SoftFabric fabric;
  private final String name;
  private final int number;

  /** By number, counted from {@link #base}; null where one is gone. */
  private final List<SoftQp> qps = new ArrayList<>();

  private final List<SoftPath> paths = new ArrayList<>();
  private final int base;
  private final List<SoftDevice> open = new ArrayList<>();
  private final Gid linkLocal;
  private final List<Gid> more = new ArrayList<>();
  private final List<Integer> refusedAddresses = new ArrayList<>();
  private Gid gid;
  private boolean up = true;
  private int refusedReceives;
  private int errors;
  private int mtu = 5;
  private long maxMessage = 1L << 30;
  private int lid;
  private int ports = 1;
  private final SoftFaults faults = new SoftFaults();

  SoftNic(SoftFabric fabric, String name, int number, Gid gid) {
    this.fabric = fabric;
    this.name = name;
    this.number = number;
    this.gid = gid;
    base = (number + 1) << 16;
    linkLocal = new Gid(0xfe80_0000_0000_0000L, number + 1);
  }

  /** Its name, as the system has it. */
  public String name() {
    return name;
  }

  /** Its port's address. */
  public Gid gid() {
    return gid;
  }

  /** Whether its port carries data. */
  public boolean up() {
    return up;
  }

  /** Shows so many ports from now on, which are one and the same. */
  public void ports(int count) {
    ports = count;
  }

  int ports() {
    return ports;
  }

  /** QPs that exist on it. */
  public int qps() {
    return qpNumbers().size();
  }

  /** QPs and registrations of all processes on it. */
  public long resources() {
    long sum = qps();
    for (var device : open) {
      sum += device.regions();
    }
    return sum;
  }

  /** How many registrations there are, of all processes. */
  public int registrations() {
    return open.stream().mapToInt(SoftDevice::regions).sum();
  }

  /** The bytes of all registrations. */
  public long registeredBytes() {
    return open.stream().mapToLong(SoftDevice::registeredBytes).sum();
  }

  /** Completion queues that exist on it. */
  public int queues() {
    return open.stream().mapToInt(SoftDevice::queues).sum();
  }

  /** What its QPs were made with, in the order of their numbers. */
  public List<QpAttributes> attributes() {
    return all().stream().map(SoftQp::attributes).toList();
  }

  /** The port loses its link; processes hear of it. */
  public void down() {
    if (up) {
      up = false;
      event(AsyncEvents.PORT_ERR, 1);
    }
  }

  /** The port has its link again. */
  public void restore() {
    if (!up) {
      up = true;
      event(AsyncEvents.PORT_ACTIVE, 1);
    }
  }

  /** The port gets another address. */
  public void changeGid(Gid other) {
    gid = other;
    event(AsyncEvents.GID_CHANGE, 1);
  }

  /** The port has its link-local address only. */
  public void loseGid() {
    changeGid(Gid.ZERO);
  }

  /** The port has one address more, at the table's end. */
  public void addGid(Gid further) {
    more.add(further);
  }

  /** From the address at this index no QP can be connected, though the table shows it. */
  public void refuseAddress(int index) {
    refusedAddresses.add(index);
  }

  /** QPs can be connected from every address again. */
  public void acceptAddresses() {
    refusedAddresses.clear();
  }

  /** The port gets another address, and nobody is told. */
  public void quietly(Gid other) {
    gid = other;
  }

  /** The port loses its link, and nobody is told. */
  public void quietlyDown() {
    up = false;
  }

  /** The port has its link again, and nobody is told. */
  public void quietlyUp() {
    up = true;
  }

  /** Answers those who ask for events with an error number; 0 for no more. */
  public void refuseEvents(int error) {
    faults.eventError = error;
    List.copyOf(open).forEach(SoftDevice::stir);
  }

  /** The port gets another local id. */
  public void changeLid(int other) {
    lid = other;
    event(AsyncEvents.LID_CHANGE, 1);
  }

  /** Whether the port is without any address; processes hear of it. */
  public void bare(boolean without) {
    faults.bare = without;
    event(AsyncEvents.GID_CHANGE, 1);
  }

  /** Whether nothing gets in or out, though the port says that it is active. */
  public void deaf(boolean now) {
    faults.deaf = now;
  }

  /** All queues that processes have on it are overrun: nothing comes out of them any more. */
  public void overrun() {
    List.copyOf(open).forEach(SoftDevice::overrun);
  }

  /** The device breaks: whoever has it open has to open it anew. */
  public void fatal() {
    List.copyOf(open).forEach(SoftDevice::fatal);
  }

  /** A foreign hand resets a QP: what was posted on it is forgotten, and nobody hears of it. */
  public void resetQp(int qpNumber) {
    var qp = qp(qpNumber);
    if (qp != null) {
      qp.reset();
    }
  }

  /** The QPs of the next posts do nothing any more until they are taken to error. */
  public void stall(int posts) {
    faults.stalls = posts;
  }

  /** Answers those who open it with an error number; 0 for no more. */
  public void refuseOpens(int error) {
    faults.openError = error;
  }

  /** How many have it open. */
  public int opened() {
    return open.size();
  }

  /** Tells all processes of an event; the subject is a port's number, or a QP's. */
  public void event(int type, int subject) {
    for (var device : List.copyOf(open)) {
      device.event(type, subject);
    }
  }

  /** A QP breaks: it goes to error, and its process hears QP_FATAL. */
  public void breakQp(int qpNumber) {
    var qp = qp(qpNumber);
    if (qp != null) {
      qp.broken(AsyncEvents.QP_FATAL);
    }
  }

  /** The numbers of the QPs that exist. */
  public List<Integer> qpNumbers() {
    return qps.stream().filter(qp -> qp != null).map(SoftQp::number).toList();
  }

  /** Refuses the next posts, with ENOMEM. */
  public void refusePosts(int count) {
    faults.posts = count;
  }

  /** Refuses the next receives, with ENOMEM. */
  public void refuseReceives(int count) {
    refusedReceives = count;
  }

  /** Never tells of the next completions, though the work is done. */
  public void swallowCompletions(int count) {
    faults.swallowed = count;
  }

  /** The same, once some more have been told of. */
  public void swallowAfter(int told, int count) {
    faults.spared = told;
    faults.swallowed = count;
  }

  /** Whether work that is to be flushed never comes back. */
  public void keepFlushes(boolean keep) {
    faults.keepsFlushes = keep;
  }

  /** Refuses the next changes of a QP's state, with EINVAL. */
  public void refuseModifies(int count) {
    faults.modifies = count;
  }

  /** Refuses the next destructions of QPs, with EBUSY. */
  public void refuseCloses(int count) {
    faults.closes = count;
  }

  /** Answers registrations with an error number; 0 for no more. */
  public void refuseRegistrations(int error) {
    faults.registerError = error;
  }

  /** What the port takes: a constant of verbs. */
  public void mtu(int activeMtu) {
    mtu = activeMtu;
  }

  /** The longest message of the port. */
  public void maxMessage(long bytes) {
    maxMessage = bytes;
  }

  int gids() {
    return 2 + more.size();
  }

  /** The link-local address comes first, then the port's own, then all others. */
  Gid gid(int index) {
    return switch (index) {
      case 0 -> linkLocal;
      case 1 -> gid;
      default -> more.get(index - 2);
    };
  }

  boolean has(Gid wanted) {
    for (int i = 0; i < gids(); i++) {
      if (gid(i).equals(wanted)) {
        return true;
      }
    }
    return false;
  }

  boolean refusesAddress(int index) {
    return refusedAddresses.contains(index);
  }

  SoftFabric fabric() {
    return fabric;
  }

  int number() {
    return number;
  }

  int lid() {
    return lid;
  }

  SoftFaults faults() {
    return faults;
  }

  int mtu() {
    return mtu;
  }

  long maxMessage() {
    return maxMessage;
  }

  boolean refusesReceive() {
    return refusedReceives > 0 && refusedReceives-- > 0;
  }

  /** How often a QP was taken to ERR on purpose. */
  public int errors() {
    return errors;
  }

  void erred() {
    errors++;
  }

  void opened(SoftDevice device) {
    open.add(device);
  }

  void closed(SoftDevice device) {
    open.remove(device);
  }

  int add(SoftQp qp) {
    qps.add(qp);
    return base + qps.size() - 1;
  }

  void remove(SoftQp qp) {
    qps.set(qp.number() - base, null);
  }

  private SoftQp qp(int qpNumber) {
    int place = qpNumber - base;
    return place >= 0 && place < qps.size() ? qps.get(place) : null;
  }

  List<SoftQp> all() {
    return qps.stream().filter(qp -> qp != null).toList();
  }

  /** The way to another NIC. */
  SoftPath path(SoftNic to) {
    while (paths.size() <= to.number()) {
      paths.add(null);
    }
    if (paths.get(to.number()) == null) {
      paths.set(to.number(), fabric.path(this, to));
    }
    return paths.get(to.number());
  }

  void receive(SoftPacket packet) {
    var qp = qp(packet.targetQp);
    if (qp != null) {
      qp.receive(packet);
    }
  }
}

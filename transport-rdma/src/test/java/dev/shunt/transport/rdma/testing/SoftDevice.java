package dev.shunt.transport.rdma.testing;

import dev.shunt.api.sim.SimProcess;
import dev.shunt.transport.rdma.verbs.AsyncEvent;
import dev.shunt.transport.rdma.verbs.AsyncEvents;
import dev.shunt.transport.rdma.verbs.DeviceInfo;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.PortInfo;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsDevice;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A NIC that a process has opened, with what it made there. */
final class SoftDevice implements VerbsDevice {
  private static final int BUSY = 16;

  private final SoftFabric fabric;
  private final SimProcess process;
  private final SoftNic nic;
  private final Runnable ready;
  private final ArrayDeque<int[]> events = new ArrayDeque<>();
  private final List<SoftRegion> regions = new ArrayList<>();
  private final List<SoftQp> qps = new ArrayList<>();
  private int queues;
  private final List<SoftCq> cqs = new ArrayList<>();
  private boolean dead;
  private boolean broken;

  SoftDevice(SoftFabric fabric, SimProcess process, SoftNic nic, Runnable ready) {
    this.fabric = fabric;
    this.process = process;
    this.nic = nic;
    this.ready = ready;
    nic.opened(this);
  }

  SoftFabric fabric() {
    return fabric;
  }

  SoftNic nic() {
    return nic;
  }

  SimProcess process() {
    return process;
  }

  /** The process is gone, and the kernel has cleaned up after it. */
  void died() {
    dead = true;
    for (var qp : List.copyOf(qps)) {
      qp.vanish();
    }
    regions.clear();
    nic.closed(this);
  }

  int regions() {
    return regions.size();
  }

  long registeredBytes() {
    return regions.stream().mapToLong(region -> region.memory().byteSize()).sum();
  }

  int queues() {
    return queues;
  }

  void queueClosed() {
    queues--;
  }

  boolean dead() {
    return dead;
  }

  /** There is something to be seen. */
  void stir() {
    ready.run();
  }

  /** Whether it is of no use any more, for as long as it is open. */
  boolean broken() {
    return broken;
  }

  void overrun() {
    cqs.forEach(SoftCq::overrun);
    List.copyOf(qps).forEach(SoftQp::enterError);
    event(AsyncEvents.CQ_ERR, 0);
  }

  void fatal() {
    broken = true;
    List.copyOf(qps).forEach(SoftQp::enterError);
    event(AsyncEvents.DEVICE_FATAL, 0);
  }

  private void check(String verb) {
    if (broken) {
      throw new VerbsException(verb + " on " + name(), VerbsException.EIO);
    }
  }

  void removed(SoftQp qp) {
    qps.remove(qp);
  }

  /** The registration of a key, local or remote: they are the same here, as on much hardware. */
  SoftRegion region(int key) {
    for (int i = 0; i < regions.size(); i++) {
      if (regions.get(i).lkey() == key) {
        return regions.get(i);
      }
    }
    return null;
  }

  void deregister(SoftRegion region) {
    regions.remove(region);
  }

  void event(int type, int subject) {
    if (!dead) {
      events.add(new int[] {type, subject});
      ready.run();
    }
  }

  @Override
  public String name() {
    return nic.name();
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(nic.ports(), 1 << 16, 1 << 14, 1 << 16, 16, 0xffffff);
  }

  @Override
  public PortInfo port(int port) {
    check("ibv_query_port");
    return new PortInfo(nic.up() ? 4 : 1, nic.mtu(), nic.gids(), nic.maxMessage(), nic.lid(), true);
  }

  @Override
  public GidEntry gid(int port, int index) {
    check("ibv_query_gid");
    var gid = nic.faults().bare ? Gid.ZERO : nic.gid(index);
    return new GidEntry(index, gid, GidEntry.Type.ROCE_V2, true);
  }

  @Override
  public VerbsRegion register(MemorySegment memory, int access) {
    check("ibv_reg_mr");
    if (nic.faults().registerError != 0) {
      throw new VerbsException("ibv_reg_mr on " + name(), nic.faults().registerError);
    }
    var region = new SoftRegion(this, memory, access, fabric.key());
    regions.add(region);
    return region;
  }

  @Override
  public VerbsCq createCq(int depth) {
    check("ibv_create_cq");
    queues++;
    var cq = new SoftCq(this, depth);
    cqs.add(cq);
    return cq;
  }

  @Override
  public VerbsQp createQp(VerbsCq cq, QpCapacity capacity) {
    check("ibv_create_qp");
    var qp = new SoftQp(this, (SoftCq) cq, capacity);
    qps.add(qp);
    return qp;
  }

  @Override
  public boolean polled() {
    return false;
  }

  @Override
  public boolean nextEvent(AsyncEvent into) {
    if (nic.faults().eventError != 0) {
      throw new VerbsException("ibv_get_async_event on " + name(), nic.faults().eventError);
    }
    var event = events.poll();
    if (event == null) {
      return false;
    }
    into.set(event[0], event[1]);
    return true;
  }

  @Override
  public void close() {
    if (!qps.isEmpty() || !regions.isEmpty()) {
      throw new VerbsException("ibv_close_device on " + name(), BUSY);
    }
    nic.closed(this);
  }
}

package dev.shunt.transport.rdma.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.sim.World;
import dev.shunt.transport.rdma.verbs.AsyncEvent;
import dev.shunt.transport.rdma.verbs.AsyncEvents;
import dev.shunt.transport.rdma.verbs.QpAttributes;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.QpPeer;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsDevice;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** A process with one NIC, one QP and one registered buffer. */
final class SoftEnd {
  static final int SIZE = 64 << 10;
  private static final int ALL =
      Verbs.ACCESS_LOCAL_WRITE | Verbs.ACCESS_REMOTE_WRITE | Verbs.ACCESS_REMOTE_READ;

  final World world;
  final SoftNic nic;
  final SimProcess process;
  final VerbsDevice device;
  final MemorySegment memory = Arena.ofAuto().allocate(SIZE, 4096);
  final VerbsRegion region;
  final VerbsCq cq;
  VerbsQp qp;
  int events;

  SoftEnd(World world, SoftFabric fabric, String name) {
    this.world = world;
    nic = fabric.nic("rdma-" + name);
    process = world.process(name);
    device = fabric.verbs(process, nic).open(nic.name(), () -> events++);
    region = device.register(memory, ALL);
    cq = device.createCq(256);
    qp = device.createQp(cq, new QpCapacity(64, 4));
  }

  QpAttributes attributes() {
    return new QpAttributes(1, 1, ALL, 0, 16, 0, 0, 0, 7, 7, 16, 16, 12, 14, 3, 7);
  }

  void connect(SoftEnd peer) {
    assertEquals(0, qp.init(attributes()));
    var to = new QpPeer(peer.qp.number(), peer.nic.gid(), 0, 5);
    assertEquals(0, qp.readyToReceive(attributes(), to));
    assertEquals(0, qp.readyToSend(attributes()));
  }

  void fill(int seed) {
    for (int i = 0; i < SIZE; i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + seed));
    }
  }

  int post(int id, int opcode, SoftEnd peer, long length) {
    return qp.post(
        id,
        opcode,
        memory.address(),
        region.lkey(),
        (int) length,
        peer.memory.address(),
        peer.region.rkey());
  }

  /** Ids and statuses that come within a time, as "id:status". */
  List<String> completions(int wanted, long nanos) {
    var found = new ArrayList<String>();
    world.runUntil(
        () -> {
          int count = cq.poll();
          for (int i = 0; i < count; i++) {
            found.add(cq.wrId(i) + ":" + cq.status(i));
          }
          return found.size() >= wanted;
        },
        nanos);
    return found;
  }

  List<String> events() {
    var names = new ArrayList<String>();
    var event = new AsyncEvent();
    while (device.nextEvent(event)) {
      names.add(AsyncEvents.name(event.type()) + " " + event.subject());
    }
    return names;
  }
}

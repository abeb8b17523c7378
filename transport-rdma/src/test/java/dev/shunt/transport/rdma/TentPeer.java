package dev.shunt.transport.rdma;

import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.testing.SoftNic;
import dev.shunt.transport.rdma.testing.TestMemory;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.QpAttributes;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.QpPeer;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsDevice;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A plain peer as Mooncake's TENT engine is one: an endpoint for each NIC of its peers, used for
 * both directions, with as many QPs as it has lanes; one that is connected is never connected
 * again, but retired when its peer comes with other QPs. It stands in the place of node b.
 */
final class TentPeer {
  static final int SIZE = 4096;
  private static final int ALL =
      Verbs.ACCESS_LOCAL_WRITE | Verbs.ACCESS_REMOTE_WRITE | Verbs.ACCESS_REMOTE_READ;

  private final Pair pair;
  private final SoftNic nic;
  private final SoftNic theirs;
  private final VerbsDevice device;
  private final VerbsCq cq;
  final MemorySegment memory = Arena.ofAuto().allocate(SIZE, 4096);
  final VerbsRegion region;

  /** How many QPs its endpoints have. */
  int lanes;

  /** Whether one that is retired is replaced in the same call, as later revisions do. */
  boolean retries = true;

  /** Why it refuses whatever comes; empty if it does not. */
  String refuses = "";

  /** What it was asked. */
  final List<BootstrapDesc> asked = new ArrayList<>();

  /** Its endpoint toward our NIC. */
  End end;

  /** An endpoint. */
  final class End {
    final List<VerbsQp> qps = new ArrayList<>();
    List<Integer> peers = List.of();
    boolean connected;
    boolean retired;

    End() {
      for (int i = 0; i < lanes; i++) {
        var qp = device.createQp(cq, new QpCapacity(8, 8));
        qp.init(attributes());
        qps.add(qp);
      }
    }

    List<Integer> numbers() {
      return qps.stream().map(VerbsQp::number).toList();
    }

    boolean connect(BootstrapDesc desc) {
      if (desc.qpNumbers().size() != lanes) {
        retire();
        return false;
      }
      var gid = Gid.parse(desc.localGid()).orElseThrow();
      for (int i = 0; i < lanes; i++) {
        var to = new QpPeer(desc.qpNumbers().get(i), gid, desc.localLid(), 5);
        int error = qps.get(i).readyToReceive(attributes(), to);
        error += qps.get(i).readyToSend(attributes());
        if (error != 0) {
          throw new AssertionError("connecting a QP a second time");
        }
      }
      peers = desc.qpNumbers();
      connected = true;
      return true;
    }

    void retire() {
      retired = true;
      qps.forEach(VerbsQp::close);
    }
  }

  TentPeer(Pair pair, int lanes) {
    this.pair = pair;
    this.lanes = lanes;
    nic = pair.nicsB[0];
    theirs = pair.nicsA[0];
    SimProcess process = pair.world.process("tent");
    device = pair.fabric.verbs(process, nic).open(nic.name(), () -> {});
    cq = device.createCq(64);
    region = device.register(memory, ALL);
    pair.b.serve(Connector.BOOTSTRAP, this::handle);
  }

  private static QpAttributes attributes() {
    return new QpAttributes(1, 1, ALL, 0, 16, 0, 0, 0, 0, 0, 16, 16, 12, 14, 6, 7);
  }

  private void handle(byte[] request, ControlPlane.Reply reply) {
    BootstrapDesc desc;
    try {
      desc = BootstrapCodec.decode(request);
    } catch (BootstrapException e) {
      throw new AssertionError(e);
    }
    asked.add(desc);
    if (!refuses.isEmpty()) {
      reply.send(
          BootstrapCodec.encode(
              new BootstrapDesc("", "", List.of(), 0, "", refuses, 0, Optional.empty())));
      return;
    }
    var why = accept(desc);
    if (!why.isEmpty() && retries && end.retired) {
      why = accept(desc);
    }
    reply.send(BootstrapCodec.encode(answer(desc, why)));
  }

  /** Answers with why not, or empty. */
  private String accept(BootstrapDesc desc) {
    if (end == null || end.retired) {
      end = new End();
    }
    if (end.connected) {
      if (end.peers.equals(desc.qpNumbers())) {
        return "";
      }
      end.retire();
      return "Endpoint retired for reconnection from peer";
    }
    return end.connect(desc) ? "" : "Failed to configure RDMA endpoint";
  }

  private BootstrapDesc answer(BootstrapDesc desc, String why) {
    return new BootstrapDesc(
        desc.peerNicPath(),
        desc.localNicPath(),
        end.numbers(),
        0,
        nic.gid().toString(),
        why,
        77,
        Optional.empty());
  }

  /** Asks our node for the connection, as it does before its first transfer. */
  void open() {
    if (end == null || end.retired) {
      end = new End();
    }
    var asking = end;
    var question =
        new BootstrapDesc(
            new NicPath("b", nic.name()).toString(),
            new NicPath("a", theirs.name()).toString(),
            asking.numbers(),
            0,
            nic.gid().toString(),
            "",
            77,
            Optional.empty());
    pair.a.at(
        pair.world.now() + Pair.MILLI,
        () ->
            pair.a.ask(
                Connector.BOOTSTRAP,
                BootstrapCodec.encode(question),
                answer -> pair.b.at(pair.world.now() + Pair.MILLI, () -> opened(asking, answer))));
  }

  private void opened(End asking, byte[] answer) {
    try {
      var desc = BootstrapCodec.decode(answer);
      if (!asking.connected && !asking.retired && !desc.refused()) {
        asking.connect(desc);
      }
    } catch (BootstrapException e) {
      throw new AssertionError(e);
    }
  }

  /** It forgets its endpoint, as when its process is started again. */
  void restart() {
    end.retire();
    end = null;
  }

  /** Writes into our memory over the first of its QPs; answers with the completion's status. */
  int write(TestMemory into) {
    end.qps
        .getFirst()
        .post(
            1,
            VerbsQp.WRITE,
            memory.address(),
            region.lkey(),
            SIZE,
            into.address(),
            (int) into.keys().getFirst().remoteKey());
    int[] status = {-1};
    pair.await(
        "a completion",
        () -> {
          int found = cq.poll();
          for (int i = 0; i < found; i++) {
            status[0] = cq.status(i);
          }
          return found > 0;
        });
    return status[0];
  }
}

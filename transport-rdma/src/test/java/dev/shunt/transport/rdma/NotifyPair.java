package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.NotifyPort;
import dev.shunt.api.spi.RawFrame;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.transport.rdma.testing.SoftNic;
import dev.shunt.transport.rdma.testing.TestFrame;
import dev.shunt.transport.rdma.testing.TestNotify;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import dev.shunt.transport.rdma.wire.BootstrapExtension.Ready;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A pair of nodes that take notifications. */
class NotifyPair {
  static final int SLOT = RawFrame.MAX;

  final Pair pair;
  final TestNotify a;
  final TestNotify b;

  NotifyPair() {
    this(Map.of());
  }

  NotifyPair(Map<String, ?> settings) {
    pair = new Pair(settings);
    a = pair.a.notifying(0).notifications;
    b = pair.b.notifying(0).notifications;
  }

  NotifyPort up() {
    return up(pair.a.openPort(pair.b, 0, 0, 5 * SECOND));
  }

  NotifyPort up(LinkId link) {
    pair.await("an answer", () -> a.ports.containsKey(link) || a.refusals.containsKey(link));
    assertNotNull(a.ports.get(link), () -> "a port, not " + a.refusals.get(link));
    return a.ports.get(link);
  }

  Fault refused(LinkId link) {
    pair.await("an answer", () -> a.ports.containsKey(link) || a.refusals.containsKey(link));
    assertNotNull(a.refusals.get(link), "a refusal");
    return a.refusals.get(link);
  }

  TestFrame post(NotifyPort port, String message) {
    return post(port, new TestFrame(message, pair.world.now() + SECOND));
  }

  TestFrame post(NotifyPort port, TestFrame frame) {
    port.post(frame, pair.world.now());
    return frame;
  }

  void retire(NotifyPort port) {
    port.retire(RetireReason.EVICTED, pair.world.now());
    pair.await("the end of the port", () -> a.downs.containsKey(port));
  }

  static long bytes(SoftNic[] nics) {
    return nics[0].registeredBytes() + nics[1].registeredBytes();
  }

  static List<Integer> counts(SoftNic nic) {
    return List.of(nic.qps(), nic.queues(), nic.registrations(), (int) nic.registeredBytes());
  }

  /** A node asks that is not there. */
  void strange(String node, long generation, long attempt) {
    strange(node, generation, attempt, pair.nicsA[0].gid().toString());
  }

  /** The same, from an address. */
  void strange(String node, long generation, long attempt, String gid) {
    var link =
        new BootstrapExtension(
            generation, 0xb1, attempt, 4096, false, "", false, 0, Ready.NONE, true);
    var asked =
        new BootstrapDesc(
            node + "@mlx5_0", "b@mlx5_2", List.of(), 0, gid, "", 77, Optional.of(link));
    var answers = new ArrayList<byte[]>();
    pair.b.ask(Connector.BOOTSTRAP, BootstrapCodec.encode(asked), answers::add);
    pair.await("an answer", () -> !answers.isEmpty());
  }
}

package dev.shunt.transport.rdma.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.sim.World;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.QpPeer;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fabric keeps what reliable connection promises, and fails as the hardware does. */
class SoftFabricTest {
  private static final int SIZE = SoftEnd.SIZE;
  private static final long SECOND = 1_000_000_000L;

  private final World world = new World(42);
  private final SoftFabric fabric = new SoftFabric(world);
  private final SoftEnd a = new SoftEnd(world, fabric, "a");
  private final SoftEnd b = new SoftEnd(world, fabric, "b");

  private void connect() {
    a.connect(b);
    b.connect(a);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4095, 4096, 4097, SIZE})
  void aWriteBringsItsBytesAndNoMore(int length) {
    connect();
    a.fill(1);
    b.fill(2);
    var before = b.memory.toArray(ValueLayout.JAVA_BYTE);
    a.post(9, VerbsQp.WRITE, b, length);
    assertEquals(List.of("9:0"), a.completions(1, SECOND));
    assertEquals(-1, MemorySegment.mismatch(a.memory, 0, length, b.memory, 0, length));
    var rest = MemorySegment.ofArray(before);
    assertEquals(-1, MemorySegment.mismatch(rest, length, SIZE, b.memory, length, SIZE));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4096, 5000, SIZE})
  void aReadFetchesBytes(int length) {
    connect();
    a.fill(1);
    b.fill(2);
    a.post(9, VerbsQp.READ, b, length);
    assertEquals(List.of("9:0"), a.completions(1, SECOND));
    assertEquals(-1, MemorySegment.mismatch(a.memory, 0, length, b.memory, 0, length));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void lossDuplicatesAndDamageShowAsTimeOnly(long seed) {
    var bad = new World(seed);
    var net = new SoftFabric(bad);
    var from = new SoftEnd(bad, net, "from");
    var to = new SoftEnd(bad, net, "to");
    from.connect(to);
    to.connect(from);
    for (var path : List.of(net.path(from.nic, to.nic), net.path(to.nic, from.nic))) {
      path.lose(30);
      path.duplicate(100);
      path.corrupt(2);
    }
    for (int round = 0; round < 10; round++) {
      from.fill(round);
      boolean write = round % 2 == 0;
      if (!write) {
        to.fill(100 + round);
      }
      from.post(round, write ? VerbsQp.WRITE : VerbsQp.READ, to, SIZE);
      assertEquals(List.of(round + ":0"), from.completions(1, 60 * SECOND), "seed " + seed);
      assertEquals(-1, from.memory.mismatch(to.memory), "seed " + seed);
    }
    assertTrue(net.path(from.nic, to.nic).dropped() > 0);
  }

  @Test
  void completionsComeInTheOrderOfPosting() {
    connect();
    var expected = new ArrayList<String>();
    for (int i = 0; i < 64; i++) {
      assertEquals(0, a.post(i, i % 3 == 0 ? VerbsQp.READ : VerbsQp.WRITE, b, 10_000));
      expected.add(i + ":0");
    }
    assertEquals(VerbsException.ENOMEM, a.post(64, VerbsQp.WRITE, b, 1));
    assertEquals(expected, a.completions(64, SECOND));
  }

  @Test
  void aBlackHoleEndsTheRetriesAfterTheirTime() {
    connect();
    fabric.path(a.nic, b.nic).blackhole();
    a.post(1, VerbsQp.WRITE, b, 100);
    a.post(2, VerbsQp.WRITE, b, 100);
    long start = world.now();
    assertEquals(List.of("1:12", "2:5"), a.completions(2, 10 * SECOND));
    long took = world.now() - start;
    long timeout = 4096L << 14;
    assertTrue(took >= 4 * timeout && took < 5 * timeout, "took " + took);
    assertEquals(0, a.post(3, VerbsQp.WRITE, b, 100));
    assertEquals(List.of("3:5"), a.completions(1, SECOND));
  }

  @Test
  void bytesUnderWayLandWhileTheReceivingQpLives() {
    connect();
    a.fill(1);
    b.fill(2);
    fabric.path(a.nic, b.nic).hold();
    a.post(1, VerbsQp.WRITE, b, SIZE);
    assertEquals(List.of("1:12"), a.completions(1, 10 * SECOND));
    assertEquals(0, a.qp.close());
    assertNotEquals(-1, a.memory.mismatch(b.memory));
    fabric.path(a.nic, b.nic).release();
    world.run(SECOND);
    assertEquals(-1, a.memory.mismatch(b.memory));
  }

  @Test
  void bytesUnderWayDieWithTheReceivingQp() {
    connect();
    a.fill(1);
    b.fill(2);
    var before = b.memory.toArray(ValueLayout.JAVA_BYTE);
    fabric.path(a.nic, b.nic).hold();
    a.post(1, VerbsQp.WRITE, b, SIZE);
    a.completions(1, 10 * SECOND);
    assertEquals(0, b.qp.error());
    fabric.path(a.nic, b.nic).release();
    world.run(SECOND);
    assertEquals(-1, MemorySegment.ofArray(before).mismatch(b.memory));
  }

  @Test
  void aPacketCarriesTheBytesOfItsSending() {
    connect();
    a.fill(1);
    fabric.path(a.nic, b.nic).hold();
    a.post(1, VerbsQp.WRITE, b, 1000);
    a.completions(1, 10 * SECOND);
    var old = a.memory.toArray(ValueLayout.JAVA_BYTE);
    a.fill(77);
    fabric.path(a.nic, b.nic).release();
    world.run(SECOND);
    assertEquals(
        -1, MemorySegment.mismatch(MemorySegment.ofArray(old), 0, 1000, b.memory, 0, 1000));
  }

  @Test
  void aWrongKeyRangeOrRightIsRefusedAndEndsBothQps() {
    connect();
    b.fill(2);
    var before = b.memory.toArray(ValueLayout.JAVA_BYTE);
    a.qp.post(1, VerbsQp.WRITE, a.memory.address(), a.region.lkey(), 10, b.memory.address(), 12345);
    a.post(2, VerbsQp.WRITE, b, 10);
    assertEquals(List.of("1:10", "2:5"), a.completions(2, SECOND));
    assertEquals(List.of("QP_ACCESS_ERR " + b.qp.number()), b.events());
    assertEquals(-1, MemorySegment.ofArray(before).mismatch(b.memory));
  }

  @Test
  void aRangeThatLeavesTheRegistrationIsRefused() {
    connect();
    a.qp.post(
        1,
        VerbsQp.WRITE,
        a.memory.address(),
        a.region.lkey(),
        2,
        b.memory.address() + SIZE - 1,
        b.region.rkey());
    assertEquals(List.of("1:10"), a.completions(1, SECOND));
  }

  @Test
  void deregisteredMemoryIsNotReached() {
    connect();
    b.region.close();
    a.post(1, VerbsQp.READ, b, 10);
    assertEquals(List.of("1:10"), a.completions(1, SECOND));
  }

  @Test
  void aWrongLocalKeyFailsAfterWhatCameBefore() {
    connect();
    a.post(1, VerbsQp.WRITE, b, 10);
    a.qp.post(2, VerbsQp.WRITE, a.memory.address(), 99, 10, b.memory.address(), b.region.rkey());
    assertEquals(List.of("1:0", "2:4"), a.completions(2, SECOND));
  }

  @Test
  void aFrozenProcessIsServedAllTheSame() {
    connect();
    b.process.freeze();
    a.post(1, VerbsQp.WRITE, b, SIZE);
    assertEquals(List.of("1:0"), a.completions(1, SECOND));
  }

  @Test
  void aDeadProcessTakesItsQpsAndKeysAlong() {
    connect();
    b.process.die(SimProcess.Death.KILLED);
    assertEquals(0, b.nic.qps());
    a.post(1, VerbsQp.WRITE, b, 10);
    assertEquals(List.of("1:12"), a.completions(1, 10 * SECOND));
  }

  @Test
  void portsTellOfTheirStateAndCarryNothingMeanwhile() {
    connect();
    a.nic.down();
    assertFalse(a.device.port(1).active());
    a.post(1, VerbsQp.WRITE, b, 10);
    assertEquals(List.of("1:12"), a.completions(1, 10 * SECOND));
    a.nic.restore();
    a.nic.changeGid(new Gid(1, 2));
    assertEquals(List.of("PORT_ERR 1", "PORT_ACTIVE 1", "GID_CHANGE 1"), a.events());
    assertEquals(3, a.events);
  }

  @Test
  void faultsByScript() {
    connect();
    a.nic.refusePosts(1);
    assertEquals(VerbsException.ENOMEM, a.post(1, VerbsQp.WRITE, b, 10));
    a.nic.swallowCompletions(1);
    a.post(2, VerbsQp.WRITE, b, 10);
    a.post(3, VerbsQp.WRITE, b, 10);
    assertEquals(List.of("3:0"), a.completions(1, SECOND));
    a.post(4, VerbsQp.WRITE, b, 10);
    a.nic.breakQp(a.qp.number());
    assertEquals(List.of("4:5"), a.completions(1, SECOND));
    assertEquals(List.of("QP_FATAL " + a.qp.number()), a.events());
    a.nic.keepFlushes(true);
    a.post(5, VerbsQp.WRITE, b, 10);
    assertEquals(List.of(), a.completions(1, SECOND));
    a.nic.refuseCloses(1);
    assertNotEquals(0, a.qp.close());
    assertEquals(0, a.qp.close());
    assertEquals(0, a.qp.close());
  }

  @Test
  void postedReceivesAreFlushedInError() {
    connect();
    assertEquals(0, a.qp.postReceive(1, a.memory.address(), a.region.lkey(), 10));
    a.qp.error();
    assertEquals(List.of("1:5"), a.completions(1, SECOND));
  }

  @Test
  void anOverrunBreaksTheQueue() {
    var cq = a.device.createCq(2);
    a.qp = a.device.createQp(cq, new QpCapacity(64, 1));
    connect();
    for (int i = 0; i < 3; i++) {
      a.post(i, VerbsQp.WRITE, b, 10);
    }
    world.run(SECOND);
    assertTrue(cq.poll() < 0);
    assertEquals(List.of("CQ_ERR 0"), a.events());
  }

  @Test
  void aProbeNeedsNoMemoryAndFindsADeadPeer() {
    connect();
    assertEquals(0, a.qp.probe(-1));
    assertEquals(List.of("-1:0"), a.completions(1, SECOND));
    b.process.die(SimProcess.Death.KILLED);
    assertEquals(0, a.qp.probe(-1));
    assertEquals(List.of("-1:12"), a.completions(1, 10 * SECOND));
  }

  @Test
  void aCutEndsBothSidesAtOnce() {
    connect();
    a.post(1, VerbsQp.WRITE, b, SIZE);
    fabric.cut(a.nic, b.nic);
    assertEquals(List.of("1:12"), a.completions(1, SECOND));
    b.post(2, VerbsQp.WRITE, a, 10);
    assertEquals(List.of("2:5"), b.completions(1, SECOND));
  }

  @Test
  void stepsThatDoNotFitAreRefused() {
    assertEquals(VerbsException.EINVAL, a.post(1, VerbsQp.WRITE, b, 10));
    var to = new QpPeer(b.qp.number(), b.nic.gid(), 0, 5);
    assertEquals(VerbsException.EINVAL, a.qp.readyToReceive(a.attributes(), to));
    assertEquals(0, a.qp.init(a.attributes()));
    assertEquals(VerbsException.EINVAL, a.qp.init(a.attributes()));
    a.nic.mtu(3);
    assertEquals(VerbsException.EINVAL, a.qp.readyToReceive(a.attributes(), to));
  }

  @Test
  void theSameSeedGivesTheSameTrace() {
    assertEquals(trace(5), trace(5));
    assertNotEquals(trace(5), trace(6));
  }

  private static long trace(long seed) {
    var world = new World(seed);
    var fabric = new SoftFabric(world);
    var from = new SoftEnd(world, fabric, "from");
    var to = new SoftEnd(world, fabric, "to");
    from.connect(to);
    to.connect(from);
    fabric.path(from.nic, to.nic).lose(50);
    for (int i = 0; i < 20; i++) {
      from.post(i, VerbsQp.WRITE, to, 20_000);
    }
    from.completions(20, 60 * SECOND);
    return world.trace().hash();
  }

  private int receive(SoftEnd end, int id, long offset, int length) {
    return end.qp.postReceive(id, end.memory.address() + offset, end.region.lkey(), length);
  }

  private static int send(SoftEnd end, int id, int length) {
    return end.qp.post(id, VerbsQp.SEND, end.memory.address(), end.region.lkey(), length, 0, 0);
  }

  private static List<Integer> lengths(SoftEnd end, long nanos) {
    var found = new ArrayList<Integer>();
    end.world.runUntil(
        () -> {
          int count = end.cq.poll();
          for (int i = 0; i < count; i++) {
            found.add(end.cq.length(i));
          }
          return false;
        },
        nanos);
    return found;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4096, 4097, 30_000})
  void aMessageGoesIntoTheReceiveThatIsNext(int length) {
    connect();
    a.fill(1);
    b.fill(2);
    assertEquals(0, receive(b, 1, 32_768, 32_768));
    assertEquals(0, receive(b, 2, 0, 10));
    send(a, 9, length);
    assertEquals(List.of("9:0"), a.completions(1, SECOND));
    assertEquals(List.of(length), lengths(b, SECOND));
    assertEquals(
        -1, MemorySegment.mismatch(a.memory, 0, length, b.memory, 32_768, 32_768 + length));
  }

  @Test
  void aMessageWithoutAReceiveWaitsForOne() {
    connect();
    for (int i = 0; i < 5; i++) {
      send(a, i, 5000);
    }
    assertEquals(List.of(), a.completions(1, 10 * SECOND), "for ever, with a count of 7");
    for (int i = 0; i < 4; i++) {
      assertEquals(0, receive(b, 10 + i, 8192L * i, 8192));
    }
    assertEquals(List.of("0:0", "1:0", "2:0", "3:0"), a.completions(5, SECOND));
    assertEquals(List.of("10:0", "11:0", "12:0", "13:0"), b.completions(5, SECOND));
    b.qp.error();
    assertEquals(List.of("4:12"), a.completions(1, 10 * SECOND), "no one answers any more");
  }

  @Test
  void aMessageThatIsLongerThanItsReceiveBreaksBothSides() {
    connect();
    receive(b, 1, 0, 100);
    send(a, 9, 101);
    assertEquals(List.of("9:9"), a.completions(1, SECOND));
    assertEquals(List.of("1:1"), b.completions(1, SECOND));
    assertEquals(List.of("QP_REQ_ERR " + b.qp.number()), b.events());
  }

  @Test
  void messagesArriveInOrderWhateverIsLost() {
    connect();
    fabric.path(a.nic, b.nic).lose(30);
    fabric.path(b.nic, a.nic).lose(30);
    fabric.path(a.nic, b.nic).duplicate(100);
    var got = new ArrayList<String>();
    for (int i = 0; i < 40; i++) {
      if (i % 4 == 0) {
        for (int k = 0; k < 4; k++) {
          assertEquals(0, receive(b, i + k, 8192L * k, 8192));
        }
      }
      send(a, i, 5000);
      assertEquals(List.of(i + ":0"), a.completions(1, 10 * SECOND));
      got.addAll(b.completions(1, SECOND));
    }
    for (int i = 0; i < 40; i++) {
      assertEquals(i + ":0", got.get(i));
    }
  }

  @Test
  void whatLandedComesBeforeWhatIsFlushedAndDestroyingTakesWhatWasNotPolled() {
    connect();
    for (int i = 0; i < 4; i++) {
      receive(b, i, 8192L * i, 8192);
    }
    send(a, 8, 10);
    send(a, 9, 10);
    assertEquals(List.of("8:0", "9:0"), a.completions(2, SECOND));
    b.qp.error();
    assertEquals(List.of("0:0", "1:0", "2:5", "3:5"), b.completions(4, SECOND));
    send(a, 10, 10);
    assertEquals(List.of("10:12"), a.completions(1, 10 * SECOND));
    a.qp.error();
    send(a, 11, 10);
    assertEquals(0, a.qp.close());
    assertEquals(List.of(), a.completions(1, SECOND));
  }
}

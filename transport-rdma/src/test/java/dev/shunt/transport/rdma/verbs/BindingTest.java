package dev.shunt.transport.rdma.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole binding, on a library that is compiled against the header and has no hardware. */
class BindingTest {
  private static final int ACCESS =
      Verbs.ACCESS_LOCAL_WRITE | Verbs.ACCESS_REMOTE_WRITE | Verbs.ACCESS_REMOTE_READ;
  private static final QpAttributes ATTRIBUTES =
      new QpAttributes(1, 1, ACCESS, 0, 16, 0, 0, 0, 0, 0, 16, 16, 12, 14, 7, 7);

  private final Arena arena = Arena.ofShared();
  private FakeLibrary fake;

  @BeforeEach
  void load(@TempDir Path directory) {
    fake = FakeLibrary.in(directory);
  }

  @AfterEach
  void free() {
    arena.close();
  }

  private VerbsDevice open() {
    return fake.verbs().open("fake0", () -> {});
  }

  private static VerbsQp connected(VerbsDevice device, VerbsCq cq, VerbsQp peer) {
    var qp = device.createQp(cq, new QpCapacity(64, 1));
    assertEquals(0, qp.init(ATTRIBUTES));
    var to = new QpPeer(peer == null ? qp.number() : peer.number(), Gid.ZERO, 0, 5);
    assertEquals(0, qp.readyToReceive(ATTRIBUTES, to));
    assertEquals(0, qp.readyToSend(ATTRIBUTES));
    return qp;
  }

  @Test
  void whatThereIsIsRead() {
    var verbs = fake.option("devices", 2).verbs();
    assertEquals(List.of("fake0", "fake1"), verbs.devices());
    var device = verbs.open("fake1", () -> {});
    assertEquals("fake1", device.name());
    assertEquals(new DeviceInfo(1, 4096, 4096, 65536, 16, 0x1234), device.info());
    var port = device.port(1);
    assertTrue(port.active() && port.ethernet());
    assertEquals(5, port.activeMtu());
    assertEquals(1L << 31, port.maxMessage(), "no negative length");
    var gid = device.gid(1, 1);
    assertEquals("00:00:00:00:00:00:00:00:00:00:ff:ff:0a:00:00:01", gid.gid().toString());
    assertEquals(GidEntry.Type.ROCE_V2, gid.type());
    assertTrue(gid.network());
    assertEquals(Gid.ZERO, device.gid(1, 9).gid(), "an entry that is not there");
    device.close();
    assertEquals(0, fake.resources());
  }

  @Test
  void bytesMoveByRequestsThatAreRewrittenInPlace() {
    var device = open();
    var memory = arena.allocate(1 << 16, 8);
    for (int i = 0; i < 4096; i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + 1));
    }
    var region = device.register(memory, ACCESS);
    var cq = device.createCq(64);
    var qp = connected(device, cq, null);
    long at = memory.address();
    for (int i = 0; i < 40; i++) {
      int opcode = i % 2 == 0 ? VerbsQp.WRITE : VerbsQp.READ;
      assertEquals(0, qp.post(100 + i, opcode, at, region.lkey(), 4096, at + 8192, region.rkey()));
    }
    int seen = 0;
    for (int taken = cq.poll(); taken > 0; taken = cq.poll()) {
      for (int i = 0; i < taken; i++) {
        assertEquals(100 + seen++, cq.wrId(i));
        assertEquals(0, cq.status(i));
        assertEquals(qp.number(), cq.qpNumber(i));
      }
    }
    assertEquals(40, seen);
    assertEquals(-1, memory.asSlice(0, 4096).mismatch(memory.asSlice(8192, 4096)));
    closed(device, cq, region, qp);
  }

  private void closed(VerbsDevice device, VerbsCq cq, VerbsRegion region, VerbsQp... qps) {
    for (var qp : qps) {
      assertEquals(0, qp.close());
    }
    assertEquals(0, cq.close());
    assertEquals(0, region.close());
    device.close();
    assertEquals(0, fake.resources(), "nothing is left behind");
  }

  @Test
  void aBatchGoesOutWithOneCallAndInOrder() {
    var device = open();
    var memory = arena.allocate(1 << 16, 8);
    var region = device.register(memory, ACCESS);
    var cq = device.createCq(64);
    var qp = connected(device, cq, null);
    var batch = new WorkBatch(8);
    for (int round = 0; round < 3; round++) {
      int size = 8 - 3 * round;
      for (int i = 0; i < size; i++) {
        memory.set(ValueLayout.JAVA_INT, i * 64L, 1000 * round + i);
        long at = memory.address() + i * 64L;
        batch.add(i, VerbsQp.WRITE, at, region.lkey(), 64, at + 4096, region.rkey());
      }
      assertEquals(0, qp.post(batch));
      assertEquals(size, batch.posted());
      batch.clear();
      assertEquals(size, cq.poll(), "what was there in an earlier round is not posted again");
      for (int i = 0; i < size; i++) {
        assertEquals(i, cq.wrId(i));
        assertEquals(1000 * round + i, memory.get(ValueLayout.JAVA_INT, 4096 + i * 64L));
      }
    }
    closed(device, cq, region, qp);
  }

  @Test
  void theRequestOfABatchThatIsRefusedIsTold() {
    var device = open();
    var memory = arena.allocate(1 << 16, 8);
    var region = device.register(memory, ACCESS);
    var cq = device.createCq(64);
    var qp = connected(device, cq, null);
    var batch = new WorkBatch(8);
    for (int i = 0; i < 8; i++) {
      batch.add(
          i, VerbsQp.WRITE, memory.address(), region.lkey(), 8, memory.address(), region.rkey());
    }
    fake.option("refuse-post", 6);
    assertEquals(VerbsException.ENOMEM, qp.post(batch));
    assertEquals(5, batch.posted());
    assertEquals(5, cq.poll());
    closed(device, cq, region, qp);
  }

  @Test
  void whatThePeerRefusesIsAStatusAndFlushesTheRest() {
    var device = open();
    var memory = arena.allocate(4096, 8);
    var region = device.register(memory, Verbs.ACCESS_LOCAL_WRITE);
    var cq = device.createCq(64);
    var qp = connected(device, cq, null);
    long at = memory.address();
    qp.post(1, VerbsQp.WRITE, at, region.lkey(), 8, at + 8, region.rkey());
    qp.post(2, VerbsQp.WRITE, at, region.lkey(), 8, at + 8, region.rkey());
    assertEquals(2, cq.poll());
    assertEquals(10, cq.status(0));
    assertEquals(0x8a, cq.vendorError(0));
    assertEquals(5, cq.status(1));
    closed(device, cq, region, qp);
  }

  @Test
  void eventsComeOnceAndOnlyWhereThereAreSome() {
    var device = open();
    var event = new AsyncEvent();
    assertFalse(device.nextEvent(event), "and it does not block");
    device.close();
  }

  @Test
  void relaxedOrderingIsAskedForByTheFunctionThatMayDropIt() {
    var device = open();
    var memory = arena.allocate(4096, 8);
    int relaxed = ACCESS | Verbs.ACCESS_RELAXED_ORDERING;
    var region = device.register(memory, relaxed);
    assertEquals(relaxed, fake.access(region.lkey()));
    region.close();
    fake.option("relaxed-errno", VerbsException.EINVAL);
    assertEquals(
        VerbsException.EINVAL,
        assertThrows(VerbsException.class, () -> device.register(memory, relaxed)).error());
    device.close();
  }

  @Test
  void anOlderLibraryServesWithoutWhatItLacks(@TempDir Path directory) {
    fake = FakeLibrary.in(directory, "-DFAKE_OLD");
    var device = open();
    var gid = device.gid(1, 1);
    assertNotEquals(Gid.ZERO, gid.gid());
    assertEquals(GidEntry.Type.UNKNOWN, gid.type());
    var memory = arena.allocate(4096, 8);
    device.register(memory, ACCESS).close();
    var refused =
        assertThrows(
            VerbsException.class,
            () -> device.register(memory, ACCESS | Verbs.ACCESS_RELAXED_ORDERING));
    assertEquals(VerbsException.ENOTSUP, refused.error());
    device.close();
  }

  @Test
  void aLibraryWithoutAFunctionIsAReasonWithARemedy(@TempDir Path directory) {
    var lacking = FakeLibrary.compiled(directory, "-Dibv_create_qp=some_other_name");
    var thrown =
        assertThrows(VerbsUnavailableException.class, () -> FfmLibrary.open(lacking.toString()));
    assertTrue(thrown.getMessage().contains("lacks ibv_create_qp"), thrown.getMessage());
    assertTrue(thrown.getMessage().contains("rdma-core 17"), thrown.getMessage());
  }

  @Test
  void aLibraryThatIsNotThereIsAReasonWithARemedy() {
    var thrown =
        assertThrows(VerbsUnavailableException.class, () -> FfmLibrary.open("libnone.so.9"));
    assertTrue(thrown.getMessage().contains("libnone.so.9"), thrown.getMessage());
    assertTrue(thrown.getMessage().contains("libibverbs1"), thrown.getMessage());
  }

  private String refusedToOpen(String option) {
    fake.option(option, 1);
    var thrown = assertThrows(VerbsException.class, this::open);
    assertEquals(VerbsException.ENOTSUP, thrown.error());
    assertEquals(0, fake.resources(), "it is closed again");
    return thrown.getMessage();
  }

  @Test
  void anOperationTableWithoutAnEntryIsNotCalled() {
    assertTrue(refusedToOpen("no-poll").contains("poll_cq"));
  }

  @Test
  void anOperationTableWithWhatIsNoCodeIsNotCalled() {
    var text = refusedToOpen("wild-send");
    assertTrue(text.contains("post_send") && text.contains("no code"), text);
  }

  @Test
  void whatIsLaidOutOtherwiseIsNotUsed() {
    var device = open();
    fake.option("wild-cq", 1);
    var thrown = assertThrows(VerbsException.class, () -> device.createCq(8));
    assertEquals(VerbsException.ENOTSUP, thrown.error());
    assertTrue(thrown.getMessage().contains("laid out otherwise"), thrown.getMessage());
  }

  private int failing(String option, Runnable what) {
    fake.option(option, VerbsException.EACCES);
    return assertThrows(VerbsException.class, what::run).error();
  }

  @Test
  void whatTheSystemRefusesIsToldByNumber() {
    var device = open();
    var memory = arena.allocate(4096, 8);
    assertEquals(VerbsException.EACCES, failing("list-errno", () -> fake.verbs().devices()));
    assertEquals(VerbsException.EACCES, failing("cq-errno", () -> device.createCq(4)));
    assertEquals(VerbsException.EACCES, failing("port-errno", () -> device.port(1)));
    assertEquals(VerbsException.EACCES, failing("reg-errno", () -> device.register(memory, 1)));
    fake.option("list-errno", 0);
    assertEquals(VerbsException.EACCES, failing("open-errno", this::open));
    fake.option("list-errno", 38);
    assertEquals(List.of(), fake.verbs().devices(), "a kernel without verbs has none");
    device.close();
  }

  @Test
  void whatIsClosedTwiceIsFreedOnce() {
    var device = open();
    var cq = device.createCq(4);
    var region = device.register(arena.allocate(4096, 8), ACCESS);
    assertThrows(VerbsException.class, device::close, "it is in use");
    for (int i = 0; i < 2; i++) {
      assertEquals(0, region.close());
      assertEquals(0, cq.close());
    }
    device.close();
    device.close();
    assertEquals(0, fake.resources());
  }

  @Test
  void aQpThatCannotChangeSaysWhy() {
    var device = open();
    var cq = device.createCq(4);
    var qp = device.createQp(cq, new QpCapacity(4, 1));
    assertEquals(VerbsException.EINVAL, qp.readyToSend(ATTRIBUTES), "not from RESET");
    fake.option("modify-errno", 110);
    assertEquals(110, qp.init(ATTRIBUTES));
    assertEquals(0, qp.close());
    assertEquals(0, qp.close(), "twice is once");
    assertEquals(0, qp.error(), "nothing is done with what is gone");
    cq.close();
    device.close();
  }

  /** Threads that pin memory at the same time. */
  @Test
  void memoryIsRegisteredFromSeveralThreads() throws InterruptedException {
    var device = open();
    var threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < 200; i++) {
                      MemorySegment memory;
                      synchronized (arena) {
                        memory = arena.allocate(4096, 8);
                      }
                      device.register(memory, ACCESS).close();
                    }
                  });
    }
    for (var thread : threads) {
      thread.join();
    }
    device.close();
    assertEquals(0, fake.resources());
  }
}

package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Status;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.runtime.descriptor.DescribedRail;
import dev.shunt.runtime.descriptor.DescriptorLimits;
import dev.shunt.runtime.descriptor.DescriptorReader;
import dev.shunt.runtime.descriptor.Extension;
import dev.shunt.runtime.peer.RemoteState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two engines with two rails each; those of one of them are taken away and given back. */
@SuppressWarnings("restricted")
class RailLossTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int SIZE = 1 << 20;
  private static final Fault DUST =
      new Fault(Fault.Blame.LOCAL, FailureCode.DEVICE, Fault.Effect.NONE, "dust in the socket");

  private final LossyTcp tcp = new LossyTcp();
  private final LossyTcp far = new LossyTcp();
  private ShuntEngine a;
  private ShuntEngine b;
  private MemorySegment near;
  private MemorySegment there;
  private Segment segment;

  private static ShuntEngine engine(LossyTcp provider, String delay, Map<String, Object> more) {
    var builder =
        new RuntimeFactory()
            .builder()
            .transport(provider)
            .set("transports.tcp.rails", List.of("127.0.0.1", "127.0.0.2"))
            .set("transports.rdma.enable", false)
            .set("transports.nof.enable", false)
            .set("failover.recovery-delay", delay)
            .set("failover.max-recovery-delay", delay);
    more.forEach(builder::set);
    return (ShuntEngine) builder.open();
  }

  private void open(String delay) throws InterruptedException {
    open(delay, Map.of());
  }

  private void open(String delay, Map<String, Object> more) throws InterruptedException {
    a = engine(tcp, delay, more);
    b = engine(far, delay, Map.of());
    near = a.arena().allocate(SIZE, 4096);
    there = b.arena().allocate(SIZE, 4096);
    a.register(near, Access.REMOTE_READ);
    b.register(there, Access.REMOTE_READ_WRITE);
    segment = a.openSegment(b.name(), SOON);
    until("the echo memory is told", () -> a.node.echoPartners("tcp").size() == 1);
  }

  @AfterEach
  void close() {
    if (a != null) {
      a.close();
    }
    if (b != null) {
      b.close();
    }
  }

  /** Writes all of the memory, in slices over both rails if both are in use. */
  private void write(int value) throws InterruptedException {
    near.fill((byte) value);
    var batch = Batch.of(Request.write(near, segment, there.address())).within(SOON);
    a.submit(batch).await(SOON).orThrow();
    assertEquals(-1, near.mismatch(there));
  }

  private static void until(String what, BooleanSupplier holds) throws InterruptedException {
    var end = System.nanoTime() + SOON.toNanos();
    while (!holds.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, what);
      Thread.sleep(1);
    }
  }

  private static Status.RailStatus rail(ShuntEngine engine, int index) {
    return engine.status().transports().stream()
        .filter(transport -> transport.id().equals("tcp"))
        .findFirst()
        .orElseThrow()
        .rails()
        .get(index);
  }

  private void untilItIs(int index, String state) throws InterruptedException {
    until("rail " + index + " is " + state, () -> rail(a, index).state().equals(state));
  }

  private static Extension told(ShuntEngine engine) {
    var text = engine.node.descriptor.text();
    return DescriptorReader.read("it", text, DescriptorLimits.DEFAULT).extension().orElseThrow();
  }

  private static List<Boolean> inactive(Extension extension) {
    return extension.transports().get("tcp").rails().stream().map(DescribedRail::inactive).toList();
  }

  @Test
  void aRailThatIsLostIsLeftAndPublishedSoUnderAHigherRevision() throws InterruptedException {
    open("60 s");
    write(1);
    var before = told(a);
    assertEquals(List.of(false, false), inactive(before));
    tcp.lose(1, RailLoss.LINK);
    untilItIs(1, "INACTIVE");
    assertEquals("pulled", rail(a, 1).cause());
    assertEquals(List.of(false, true), inactive(told(a)));
    assertTrue(told(a).revision() > before.revision());
    write(2);
    int carried = tcp.slices[1].get();
    for (int i = 0; i < 20; i++) {
      write(i);
    }
    assertEquals(carried, tcp.slices[1].get());
    tcp.giveBack(1);
    untilItIs(1, "RECOVERING");
    assertTrue(rail(a, 1).recoverAt().isPresent());
    for (int i = 0; i < 20; i++) {
      write(i);
    }
    assertEquals(carried, tcp.slices[1].get(), "a recovering rail carries no slice");
    assertEquals(List.of(false, true), inactive(told(a)));
  }

  @Test
  void aRailComesBackOnlyAfterItsCheckAndTheEchoes() throws InterruptedException {
    open("100 ms");
    write(1);
    tcp.found = Optional.of(DUST);
    tcp.lose(1, RailLoss.LINK);
    tcp.giveBack(1);
    until("it failed two checks", () -> tcp.checks.size() >= 2);
    assertEquals("RECOVERING", rail(a, 1).state());
    assertEquals("dust in the socket", rail(a, 1).cause());
    assertEquals(0, tcp.echoes[1].get(), "what the transport finds wrong needs no echo");
    write(2);
    int carried = tcp.slices[1].get();
    var before = told(a).revision();
    tcp.found = Optional.empty();
    untilItIs(1, "ACTIVE");
    assertEquals(3, tcp.echoes[1].get());
    assertEquals(0, tcp.echoes[0].get());
    assertTrue(rail(a, 1).verifiedAt().isPresent());
    assertEquals(List.of(false, false), inactive(told(a)));
    assertTrue(told(a).revision() > before);
    until(
        "it carries again",
        () -> {
          try {
            write(3);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return tcp.slices[1].get() > carried;
        });
  }

  @Test
  void whatPeersReachByThemselvesEndsBeforeTheMemoryDoes() throws InterruptedException {
    open("50 ms");
    write(1);
    far.ends.clear();
    b.close();
    assertEquals("leave", far.ends.getFirst());
    assertEquals("close", far.ends.getLast());
    assertTrue(far.ends.contains("unregister"), far.ends::toString);
    assertEquals(1, far.ends.stream().filter("leave"::equals).count());
  }

  @Test
  void withoutAPeerThatLendsMemoryTheTransportsWordDoes() throws InterruptedException {
    a = engine(tcp, "50 ms", Map.of());
    tcp.lose(0, RailLoss.ERRORS);
    until("it was checked, made anew", () -> tcp.checks.equals(List.of(-1)));
    untilItIs(0, "ACTIVE");
    assertEquals(0, tcp.echoes[0].get());
    assertEquals(Optional.empty(), rail(a, 0).verifiedAt());
  }

  @Test
  void whereEchoesAreOffNothingOfThemIsTold() throws InterruptedException {
    a = engine(tcp, "50 ms", Map.of("capabilities.\"link.echo\"", "off"));
    assertEquals(Optional.empty(), told(a).echo());
    b = engine(far, "50 ms", Map.of());
    until("the other one tells", () -> told(b).echo().isPresent());
    a.openSegment(b.name(), SOON);
    assertEquals(List.of(), a.node.echoPartners("tcp"));
    tcp.lose(1, RailLoss.LINK);
    tcp.giveBack(1);
    until("it was checked", () -> !tcp.checks.isEmpty());
    untilItIs(1, "ACTIVE");
    assertEquals(0, tcp.echoes[1].get());
  }

  @Test
  void anEchoOfOtherMemoryIsNone() throws InterruptedException {
    open("50 ms");
    var page = told(b).echo().orElseThrow();
    var bytes = MemorySegment.ofAddress(page.address()).reinterpret(page.length());
    var right = bytes.get(ValueLayout.JAVA_BYTE, 40);
    bytes.set(ValueLayout.JAVA_BYTE, 40, (byte) (right + 1));
    tcp.lose(1, RailLoss.LINK);
    tcp.giveBack(1);
    until("it was tried", () -> tcp.echoes[1].get() >= 2);
    until("it is told", () -> rail(a, 1).cause().contains("other bytes"));
    assertFalse(rail(a, 1).state().equals("ACTIVE"));
    bytes.set(ValueLayout.JAVA_BYTE, 40, right);
    untilItIs(1, "ACTIVE");
  }

  /** The other one's control plane stands still until it is let go. */
  private CountDownLatch freezeControl() {
    var go = new CountDownLatch(1);
    b.node.control.execute(
        () -> {
          try {
            go.await(SOON.toMillis(), TimeUnit.MILLISECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return go;
  }

  @Test
  void aRailThatNothingGetsThroughIsNotUsedWhileThePeerAnswersByItsControlPlane()
      throws InterruptedException {
    open("60 s", Map.of("rpc.connect-timeout", "4 s"));
    a.drainRail("tcp", "127.0.0.2").await(SOON);
    tcp.hole[0].set(true);
    tcp.hole[1].set(true);
    var failed = a.restoreRail("tcp", "127.0.0.2").await(SOON);
    assertEquals("RECOVERING", failed.state(), failed.cause());
    assertTrue(failed.cause().contains("although its control plane answers"), failed.cause());
    tcp.hole[1].set(false);
    assertEquals("ACTIVE", a.restoreRail("tcp", "127.0.0.2").await(SOON).state());
    assertTrue(rail(a, 1).verifiedAt().isPresent());
  }

  @Test
  void aRailThatNothingGetsThroughIsNotUsedWhileThePeerAnswersOverAnother()
      throws InterruptedException {
    open("60 s", Map.of("rpc.connect-timeout", "4 s"));
    a.drainRail("tcp", "127.0.0.2").await(SOON);
    tcp.hole[1].set(true);
    var go = freezeControl();
    try {
      var failed = a.restoreRail("tcp", "127.0.0.2").await(SOON);
      assertEquals("RECOVERING", failed.state(), failed.cause());
      assertTrue(failed.cause().contains("answers over rail 127.0.0.1"), failed.cause());
    } finally {
      go.countDown();
    }
  }

  @Test
  void aPeerThatIsSilentInEveryWaySaysNothingAndNothingIsVerified() throws InterruptedException {
    open("60 s", Map.of("rpc.connect-timeout", "4 s"));
    a.drainRail("tcp", "127.0.0.2").await(SOON);
    tcp.hole[0].set(true);
    tcp.hole[1].set(true);
    var go = freezeControl();
    try {
      var restored = a.restoreRail("tcp", "127.0.0.2").await(SOON);
      assertEquals("ACTIVE", restored.state(), restored.cause());
      assertEquals(Optional.empty(), restored.verifiedAt());
      assertTrue(
          restored.cause().endsWith("no peer answered: checked on this side only"),
          restored.cause());
    } finally {
      go.countDown();
    }
  }

  private Optional<RemoteState> knownOfA() {
    return b.node.peers.known().stream()
        .filter(state -> state.remote().name().equals(a.name()))
        .findFirst();
  }

  @Test
  void peersThatOpenedTheNodeLeaveItsRailAlone() throws InterruptedException {
    open("60 s");
    var back = b.openSegment(a.name(), SOON);
    var route = knownOfA().orElseThrow().home().orElseThrow().route();
    assertFalse(route.remoteInactive(1));
    tcp.lose(1, RailLoss.LINK);
    until("the other one heard", () -> route.remoteInactive(1));
    assertFalse(route.remoteInactive(0));
    var batch = Batch.of(Request.read(there, back, near.address())).within(SOON);
    near.fill((byte) 5);
    b.submit(batch).await(SOON).orThrow();
    assertEquals(-1, near.mismatch(there));
    for (var path : path(b, a)) {
      assertTrue(
          path.remoteRail().equals("127.0.0.1") || path.state().equals("IDLE"), path.toString());
    }
  }

  private static List<Status.PathStatus> path(ShuntEngine from, ShuntEngine to) {
    return from.status().peers().stream()
        .filter(peer -> peer.name().equals(to.name()))
        .findFirst()
        .orElseThrow()
        .paths();
  }

  @Test
  void whatARailTellsOfItselfIsPublishedAnewAndUsedForTheNextConnection()
      throws InterruptedException {
    open("60 s");
    b.openSegment(a.name(), SOON);
    var route = knownOfA().orElseThrow().home().orElseThrow().route();
    tcp.change(0, Map.of("colour", "red"));
    until(
        "the other one heard",
        () -> "red".equals(route.rails().getFirst().attributes().get("colour")));
    assertEquals("127.0.0.1", route.rails().getFirst().name());
  }

  @Test
  void theApplicationDrainsAndRestoresARail() throws InterruptedException {
    open("60 s");
    var drained = a.drainRail("tcp", "127.0.0.2").await(SOON);
    assertEquals("DRAINED", drained.state());
    write(1);
    int carried = tcp.slices[1].get();
    tcp.lose(1, RailLoss.LINK);
    tcp.giveBack(1);
    for (int i = 0; i < 20; i++) {
      write(i);
    }
    assertEquals(carried, tcp.slices[1].get());
    assertEquals("DRAINED", rail(a, 1).state());
    var restored = a.restoreRail("tcp", "127.0.0.2").await(SOON);
    assertEquals("ACTIVE", restored.state());
    assertEquals(3, tcp.echoes[1].get());
    for (var wrong : List.of("tcp/127.0.0.9", "none/127.0.0.1")) {
      var at = wrong.split("/");
      var refused = assertThrows(ShuntException.class, () -> a.drainRail(at[0], at[1]), wrong);
      assertEquals(FailureCode.REJECTED, refused.code());
      assertTrue(refused.getMessage().contains(at[0]), refused.getMessage());
    }
  }
}

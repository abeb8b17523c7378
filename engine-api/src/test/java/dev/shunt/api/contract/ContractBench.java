package dev.shunt.api.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shunt.api.Access;
import dev.shunt.api.contract.ContractKit.Faults;
import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Limits;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.TargetOpening;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** A host, its remote, and memory on both sides, for one test. */
final class ContractBench {
  static final int MEMORY = 1 << 20;

  private final ContractKit kit;
  private final Stage stage;
  private final Dice dice;
  private final Arena arena = Arena.ofShared();
  private final TreeMap<String, ContractHost> directory = new TreeMap<>();
  private final List<ContractHost> hosts = new ArrayList<>();
  private final List<ContractSlice> slices = new ArrayList<>();
  private final ContractHost a;
  private ContractHost b;
  private Remote remote;
  private List<RemoteRail> rails;
  private RemoteMemory far;
  private long maxSlice;
  private final HostRegion local;
  private final List<ContractSlice> uncertain = new ArrayList<>();
  private MemorySegment expected;

  ContractBench(ContractKit kit, long seed) {
    this.kit = kit;
    this.stage = kit.stage();
    this.dice = new Dice(seed).split("bench");
    a = host("a", 0xa1);
    maxSlice = Math.min(limits().maxSlice(), kit.largestSlice());
    if (kit.target().isPresent()) {
      openTarget(kit.target().get());
    } else {
      assertTrue(
          limits().serves(), "the transport does not serve, and the kit has no target for it");
      b = host("b", 0xb1);
      describeB();
      far = b.register(allocate(MEMORY), Access.REMOTE_READ_WRITE);
    }
    local = a.register(allocate(Math.max(MEMORY, 4L * far.block())), Access.LOCAL);
    remember();
  }

  private ContractHost host(String name, long generation) {
    var host = new ContractHost(kit, name, generation, directory);
    hosts.add(host);
    return host;
  }

  private void describeB() {
    remote = b.asRemote();
    rails = b.described();
  }

  private void openTarget(ContractKit.TargetKit target) {
    assertTrue(a.transport().owns(target.segment()), "owns " + target.segment());
    var openings = new ArrayList<TargetOpening>();
    long deadline = stage.now() + 5 * Contract.SECOND;
    a.supervisor()
        .execute(() -> a.transport().openTarget(target.segment(), deadline, openings::add));
    await("openTarget answers", () -> !openings.isEmpty());
    if (!(openings.getFirst() instanceof TargetOpening.Opened opened)) {
      throw new AssertionError("the target could not be opened: " + openings);
    }
    remote = new Remote.Target(target.segment());
    rails = opened.rails();
    maxSlice = Math.min(maxSlice, opened.maxSlice());
    far = target.memory();
    assertEquals(far.length(), opened.size(), "the size of the target");
    assertEquals(far.block(), opened.blockSize(), "the block size of the target");
  }

  // What there is.

  ContractKit kit() {
    return kit;
  }

  Stage stage() {
    return stage;
  }

  Dice dice() {
    return dice;
  }

  ContractHost a() {
    return a;
  }

  ContractHost b() {
    assumeTrue(b != null, "Limits.serves is false: the remote is a target, and no host");
    return b;
  }

  Limits limits() {
    return a.limits();
  }

  Remote remote() {
    return remote;
  }

  RemoteRail rail(int index) {
    return rails.get(index);
  }

  RemoteMemory far() {
    return far;
  }

  HostRegion local() {
    return local;
  }

  /** Slices of no more than this. */
  long maxSlice() {
    return maxSlice;
  }

  void assumeReads() {
    assumeTrue(limits().reads(), "Limits.reads is false");
  }

  Faults faults() {
    assumeTrue(kit.faults().isPresent(), "the kit can break nothing");
    return kit.faults().get();
  }

  void assumeTwoRails() {
    assumeTrue(a.rails().size() > 1 && rails.size() > 1, "there are no two rails on both sides");
  }

  // Connecting.

  ConnectRequest request(
      Remote to, LinkId id, int lane, int localRail, RemoteRail rail, long for_) {
    return new ConnectRequest(id, to, a.rails().get(localRail), rail, lane, stage.now() + for_);
  }

  ConnectAnswer connect(int lane, int localRail, int remoteRail) {
    return a.connect(
        request(remote, a.freshId(), lane, localRail, rails.get(remoteRail), 5 * Contract.SECOND));
  }

  /** A channel that is up. */
  ContractChannel up(int lane, int localRail, int remoteRail) {
    return up(connect(lane, localRail, remoteRail));
  }

  ContractChannel up(ConnectAnswer answer) {
    await("a connect is answered", answer::answered);
    assertNotNull(answer.channel(), () -> "a channel: " + answer);
    return answer.channel();
  }

  ContractChannel up() {
    return up(0, 0, 0);
  }

  /** Ends the process of the remote. */
  void killRemote() {
    if (b != null) {
      b.kill(Death.KILLED);
    } else {
      assumeTrue(kit.target().orElseThrow().kill(), "the kit cannot end its target");
    }
  }

  /** Stops the process of the remote where it is. */
  void freezeRemote() {
    if (b != null) {
      stage.freeze("b");
    } else {
      assumeTrue(kit.target().orElseThrow().freeze(), "the kit cannot freeze its target");
    }
  }

  /** Lets it go on. */
  void thawRemote() {
    if (b != null) {
      stage.thaw("b");
    } else {
      kit.target().orElseThrow().thaw();
    }
  }

  /** Ends {@code b} and starts another process of that name, with memory of its own. */
  void restartB(Death death) {
    b().kill(death);
    b = host("b", b.generation() + 1);
    describeB();
    far = b.register(allocate(MEMORY), Access.REMOTE_READ_WRITE);
    remember();
  }

  // Slices.

  ContractSlice slice(boolean write, long localOffset, long remoteOffset, long length) {
    return slice(write, local, localOffset, length, far.address() + remoteOffset, far.key(0));
  }

  ContractSlice slice(
      boolean write, HostRegion region, long offset, long length, long address, long key) {
    var slice = new ContractSlice(slices.size() + 1);
    slices.add(slice);
    return slice.set(write, region, offset, length, address, key, stage.now() + Contract.LIMIT);
  }

  /** Posts as there is room, with turns in between. */
  void post(ContractChannel channel, ContractSlice slice) {
    await("room on the channel", () -> channel.room() > 0);
    channel.post(slice);
  }

  /** Posts a slice and waits until it is completed. */
  void carry(ContractChannel channel, ContractSlice slice) {
    post(channel, slice);
    completed(slice);
  }

  void completed(ContractSlice slice) {
    await("the report of " + slice, slice::ended);
    assertEquals(ContractSlice.State.COMPLETED, slice.state(), slice::toString);
  }

  void ended(List<ContractSlice> posted) {
    await("all reports", () -> posted.stream().allMatch(ContractSlice::ended));
  }

  /** Rounds up to whole blocks. */
  long blocks(long length) {
    return (length + far.block() - 1) / far.block() * far.block();
  }

  // Memory.

  MemorySegment allocate(long bytes) {
    var memory = arena.allocate(bytes, 4096);
    fill(memory);
    return memory;
  }

  /** Random content. */
  void fill(MemorySegment memory) {
    long words = memory.byteSize() / 8;
    for (long i = 0; i < words; i++) {
      memory.setAtIndex(ValueLayout.JAVA_LONG, i, dice.next());
    }
  }

  /** What the remote holds now is what is expected from here on. */
  void remember() {
    if (expected == null || expected.byteSize() != far.length()) {
      expected = arena.allocate(far.length());
    }
    far.copyOut(0, expected);
    uncertain.clear();
  }

  /** A write of this range completed, or will. */
  void expectWritten(ContractSlice slice) {
    MemorySegment.copy(
        slice.memory(),
        slice.offset(),
        expected,
        slice.remoteAddress() - far.address(),
        slice.length());
  }

  /** A write of this range may be applied: wholly or in part, now or later. */
  void expectAnything(ContractSlice slice) {
    uncertain.add(slice);
  }

  /** The first byte of the remote that differs from what is expected, or -1. */
  long difference() {
    var seen = arena.allocate(far.length());
    far.copyOut(0, seen);
    for (var slice : uncertain) {
      long offset = slice.remoteAddress() - far.address();
      MemorySegment.copy(seen, offset, expected, offset, slice.length());
    }
    return expected.mismatch(seen);
  }

  void assertRemote(String when) {
    assertEquals(-1, difference(), () -> "the first wrong byte at the remote " + when);
  }

  /** Whether a range of the remote holds what is expected there. */
  boolean unchanged(ContractSlice slice) {
    long offset = slice.remoteAddress() - far.address();
    var seen = arena.allocate(slice.length());
    far.copyOut(offset, seen);
    return expected.asSlice(offset, slice.length()).mismatch(seen) < 0;
  }

  /** Whether local and remote memory of a slice are the same. */
  boolean same(ContractSlice slice) {
    var seen = arena.allocate(slice.length());
    far.copyOut(slice.remoteAddress() - far.address(), seen);
    return slice.memory().asSlice(slice.offset(), slice.length()).mismatch(seen) < 0;
  }

  // Time.

  void await(String what, BooleanSupplier condition) {
    boolean came = stage.until(() -> condition.getAsBoolean() || violated(), Contract.LIMIT);
    check();
    if (!came) {
      fail("not within " + Contract.LIMIT / Contract.SECOND + " s: " + what);
    }
  }

  private boolean violated() {
    for (int i = 0; i < hosts.size(); i++) {
      if (!hosts.get(i).violations().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Fails if a transport broke a rule so far. */
  void check() {
    for (var host : hosts) {
      if (!host.violations().isEmpty()) {
        fail("broken rules: " + host.violations());
      }
    }
  }

  /** Closes both hosts, and looks whether everything was reported and let go of. */
  void close() {
    check();
    a.close();
    if (b != null) {
      b.close();
    }
    check();
    for (var slice : slices) {
      if (slice.state() == ContractSlice.State.POSTED) {
        fail("never reported, not even when the driver was closed: " + slice);
      }
    }
    if (b != null && !b.killed()) {
      assertEquals(0, b.regions().leases(), "leases held after the transport was closed");
    }
  }

  /** The very end, also after a failure. */
  void free() {
    arena.close();
  }
}

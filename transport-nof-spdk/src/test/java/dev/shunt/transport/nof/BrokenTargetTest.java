package dev.shunt.transport.nof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.transport.nof.testing.Action;
import dev.shunt.transport.nof.testing.Rule;
import dev.shunt.transport.nof.testing.SoftOptions;
import dev.shunt.transport.nof.testing.SoftTarget;
import dev.shunt.transport.nof.testing.Stage;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A target that breaks, freezes or dies in the middle of transfers. */
class BrokenTargetTest {
  private static final long SECOND = Node.SECOND;
  private static final long MILLI = Node.MILLI;

  private static void fill(Node node, long seed) {
    var random = new SplittableRandom(seed);
    for (long i = 0; i < node.memory.byteSize(); i += 8) {
      node.memory.set(ValueLayout.JAVA_LONG, i, random.nextLong());
    }
  }

  private static boolean same(Node node, SoftTarget target, long from, long length) {
    return node.memory.asSlice(from, length).mismatch(target.memory().asSlice(from, length)) < 0;
  }

  private static Fault down(Node node, Channel channel) {
    var answer = node.answers.get(channel.link().id());
    node.await(() -> answer.down != null, 40 * SECOND);
    return answer.down;
  }

  @Test
  void aCommandThatNeverEndsEndsItsQueueByItsDeadline() {
    for (var stage : List.of(Stage.READ, Stage.WRITE, Stage.R2T, Stage.DATA, Stage.APPLY)) {
      for (var action : List.of(Action.FORGET, Action.STALL)) {
        var node = new Node(2, Map.of("command-timeout", "3s"));
        var target = node.target(new SoftOptions());
        var channel = node.up(target.name());
        var before = node.post(channel, true, 0, 512);
        node.await(before::ended, SECOND);
        target.rule(Rule.once(stage, 1, action));
        long begin = node.world.now();
        var stuck = node.post(channel, stage != Stage.READ, 0, 65536);
        node.world.run(SECOND);
        var later = node.post(channel, true, 65536, 512);
        var fault = down(node, channel);
        var which = stage + " " + action;
        assertEquals(FailureCode.UNREACHABLE, fault.code(), which);
        assertTrue(stuck.at - begin <= 3 * SECOND + MILLI, which + " took " + (stuck.at - begin));
        // Where it never asked for the data, none can have been applied.
        boolean asked = stage == Stage.DATA || stage == Stage.APPLY;
        var effect = asked ? Fault.Effect.POSSIBLE : Fault.Effect.NONE;
        assertEquals(effect, stuck.fault.effect(), which);
        assertEquals(1, later.ends, which);
        assertTrue(node.post(node.up(target.name()), true, 0, 512).ends == 0);
      }
    }
  }

  @Test
  void whateverTheTargetBreaksEndsTheQueueAtOnce() {
    breaks(Action.UNKNOWN_PDU, FailureCode.PROTOCOL, true);
    breaks(Action.BAD_LENGTH, FailureCode.PROTOCOL, true);
    breaks(Action.STRAY_COMPLETION, FailureCode.PROTOCOL, true);
    breaks(Action.BAD_DATA_OFFSET, FailureCode.PROTOCOL, true);
    breaks(Action.SHORT_DATA, FailureCode.PROTOCOL, true);
    breaks(Action.BAD_HEADER_DIGEST, FailureCode.CHECKSUM, true);
    breaks(Action.TERM, FailureCode.PROTOCOL, false);
    breaks(Action.DROP, FailureCode.CONNECTION, false);
    breaks(Action.CLOSE, FailureCode.CONNECTION, false);
  }

  private static void breaks(Action action, FailureCode code, boolean told) {
    var node = new Node(3, Map.of("header-digest", true));
    var target = node.target(new SoftOptions());
    var channel = node.up(target.name());
    var write = node.post(channel, true, 0, 512);
    node.await(write::ended, SECOND);
    target.rule(Rule.once(Stage.READ, 1, action).value(1));
    long begin = node.world.now();
    var read = node.post(channel, false, 0, 4096);
    var sibling = node.post(channel, false, 4096, 4096);
    var fault = down(node, channel);
    assertTrue(node.world.now() - begin < 10 * MILLI, action + " is known at once");
    assertEquals(code, fault.code(), () -> action + ": " + fault);
    assertEquals(Fault.Blame.REMOTE, fault.blame());
    assertEquals(1, read.ends);
    assertEquals(1, sibling.ends);
    node.world.run(10 * MILLI);
    assertEquals(
        told,
        target.events().stream().anyMatch(e -> e.startsWith("H2CTermReq")),
        () -> action + ": " + target.events());
    // The controller lives, and gives another queue.
    assertEquals(1, target.controllers());
    var again = node.post(node.up(target.name()), true, 0, 512);
    node.await(again::ended, SECOND);
    assertTrue(again.good());
  }

  @Test
  void aRequestForDataThatAreNotThereEndsTheQueue() {
    var node = new Node(3, Map.of());
    var target = node.target(new SoftOptions());
    var channel = node.up(target.name());
    target.rule(Rule.once(Stage.R2T, 1, Action.BAD_R2T));
    var write = node.post(channel, true, 0, 65536);
    assertEquals(FailureCode.PROTOCOL, down(node, channel).code());
    assertEquals(Fault.Effect.NONE, write.fault.effect());
  }

  @Test
  void aWrongDataDigestFailsThatReadOnly() {
    var node = new Node(4, Map.of("data-digest", true));
    var target = node.target(new SoftOptions());
    var channel = node.up(target.name());
    target.rule(Rule.once(Stage.READ, 1, Action.BAD_DATA_DIGEST));
    var bad = node.post(channel, false, 0, 4096);
    var good = node.post(channel, false, 4096, 4096);
    node.await(() -> bad.ended() && good.ended(), SECOND);
    assertEquals(FailureCode.CHECKSUM, bad.fault.code());
    assertEquals(Fault.Effect.NONE, bad.fault.effect());
    assertTrue(good.good());
    assertTrue(channel.room() > 0);
  }

  @Test
  void flippedBitsOnTheWayAreNoticedWithDigests() {
    for (long seed = 1; seed <= 30; seed++) {
      var node =
          new Node(
              seed, Map.of("header-digest", true, "data-digest", true, "command-timeout", "2s"));
      var target = node.target(new SoftOptions().size(512, 4096));
      fill(node, seed);
      var channel = node.up(target.name());
      boolean back = seed % 2 == 0;
      var path =
          back
              ? node.network.path("10.0.0.2", "10.0.0.1")
              : node.network.path("10.0.0.1", "10.0.0.2");
      path.corrupt(1);
      var slices = new ArrayList<TestSlice>();
      for (int i = 0; i < 10; i++) {
        slices.add(node.post(channel, i % 2 == 0, i * 65536L, 65536));
      }
      node.await(() -> slices.stream().allMatch(TestSlice::ended), 5 * SECOND);
      for (var slice : slices) {
        boolean applied = same(node, target, slice.remoteAddress(), slice.length());
        assertTrue(!slice.good() || applied, "seed " + seed + ": " + slice);
      }
    }
  }

  @Test
  void killingTheQueueInMidTransferEndsEverySliceOnceAndHonestly() {
    for (long seed = 1; seed <= 100; seed++) {
      var random = new SplittableRandom(seed);
      var node = new Node(seed, Map.of());
      var target = node.target(new SoftOptions().writes(8192, 4096).service(0, 20_000));
      fill(node, seed);
      var channel = node.up(target.name());
      var slices = new ArrayList<TestSlice>();
      for (int i = 0; i < 40; i++) {
        long length = 512L * (1 + random.nextInt(60));
        slices.add(node.post(channel, random.nextInt(4) > 0, i * 32768L, length));
      }
      node.world.run(random.nextInt(300_000));
      switch (random.nextInt(4)) {
        case 0 -> node.network.path("10.0.0.1", "10.0.0.2").cut();
        case 1 -> target.dropAll();
        case 2 -> node.onLane(() -> channel.retire(RetireReason.STALLED, node.now()));
        default -> {
          node.network.path("10.0.0.1", "10.0.0.2").blackhole();
          node.world.run(MILLI);
          node.onLane(() -> channel.retire(RetireReason.RAIL_INACTIVE, node.now()));
        }
      }
      down(node, channel);
      node.network.path("10.0.0.1", "10.0.0.2").healNow();
      node.world.run(SECOND);
      for (var slice : slices) {
        assertEquals(1, slice.ends, "seed " + seed + ": " + slice);
        boolean there = same(node, target, slice.remoteAddress(), slice.length());
        if (slice.write() && slice.good()) {
          assertTrue(there, "seed " + seed + ": completed and not applied: " + slice);
        } else if (slice.write() && slice.fault.effect() == Fault.Effect.NONE) {
          assertFalse(there, "seed " + seed + ": without effect and applied: " + slice);
        } else if (!slice.write() && !slice.good()) {
          assertEquals(Fault.Effect.NONE, slice.fault.effect());
        }
      }
    }
  }

  @Test
  void aFrozenTargetAppliesLateWhatWasGivenUpAndThatWasSaid() {
    var node = new Node(5, Map.of("command-timeout", "2s", "keep-alive-timeout", "0s"));
    var target = node.target(new SoftOptions());
    var late = new ArrayList<Long>();
    target.hook((applied, offset, length, now) -> late.add(offset));
    fill(node, 5);
    var channel = node.up(target.name());
    target.freeze();
    var small = node.post(channel, true, 0, 4096);
    var large = node.post(channel, true, 65536, 65536);
    var read = node.post(channel, false, 0, 4096);
    down(node, channel);
    assertEquals(Fault.Effect.POSSIBLE, small.fault.effect());
    assertEquals(Fault.Effect.NONE, large.fault.effect());
    assertEquals(Fault.Effect.NONE, read.fault.effect());
    node.world.run(30 * SECOND);
    assertFalse(same(node, target, 0, 4096));
    target.thaw();
    node.world.run(SECOND);
    assertEquals(List.of(0L), late);
    assertTrue(same(node, target, 0, 4096), "what was given up is applied now");
    assertFalse(same(node, target, 65536, 65536));
  }
}

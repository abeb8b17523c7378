package dev.shunt.transport.nof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
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

/** Reads and writes against a target that behaves, and one that does not. */
class TransferTest {
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
  void bytesArriveWhateverTheTargetIsLike() {
    for (long seed = 1; seed <= 20; seed++) {
      var random = new SplittableRandom(seed);
      var options =
          new SoftOptions()
              .size(random.nextBoolean() ? 512 : 4096, 512)
              .writes(4096 << random.nextInt(6), random.nextInt(3) * 4096)
              .reads(512 << random.nextInt(8), random.nextBoolean())
              .requestPiece(4096 << random.nextInt(7))
              .alignment(4 << random.nextInt(6))
              .digests(random.nextBoolean(), random.nextBoolean())
              .service(random.nextInt(2) * 1000L, 50_000)
              .mdts(6);
      if (seed % 10 == 0) {
        options.chunk(1 + random.nextInt(30));
      }
      var node =
          new Node(
              seed,
              Map.of(
                  "header-digest", random.nextBoolean(),
                  "data-digest", random.nextBoolean(),
                  "io-queue-size", 2 + random.nextInt(30)));
      var target = node.target(options);
      fill(node, seed);
      var channel = node.up(target.name());
      int block = random.nextBoolean() ? 4096 : 8192;
      var written = new ArrayList<TestSlice>();
      for (long at = 0; at < target.memory().byteSize(); ) {
        long length = Math.min(target.memory().byteSize() - at, block * (1 + random.nextInt(24)));
        node.await(() -> channel.room() > 0, SECOND);
        written.add(node.post(channel, true, at, length));
        at += length;
      }
      node.await(() -> written.stream().allMatch(TestSlice::ended), 20 * SECOND);
      var which = "seed " + seed + ": ";
      assertTrue(written.stream().allMatch(TestSlice::good), () -> which + written);
      assertTrue(same(node, target, 0, target.memory().byteSize()), which + "written");
      node.memory.fill((byte) 0);
      var read = new ArrayList<TestSlice>();
      for (var slice : written) {
        node.await(() -> channel.room() > 0, SECOND);
        read.add(node.post(channel, false, slice.remoteAddress(), slice.length()));
      }
      node.await(() -> read.stream().allMatch(TestSlice::ended), 20 * SECOND);
      assertTrue(read.stream().allMatch(TestSlice::good), () -> which + read);
      assertTrue(same(node, target, 0, target.memory().byteSize()), which + "read");
      assertEquals(List.of(), target.violations(), which);
    }
  }

  @Test
  void aRangeOutsideIsTheRequestsFaultAndTheChannelGoesOn() {
    var node = new Node(1, Map.of());
    var target = node.target(new SoftOptions().size(512, 100));
    var channel = node.up(target.name());
    var outside = node.post(channel, true, 100 * 512, 512);
    var across = node.post(channel, false, 99 * 512, 1024);
    var far = new TestSlice(node, true, node.memory, 0, -512L, 512);
    node.onLane(() -> channel.post(far, node.now()));
    node.onLane(() -> channel.flush(node.now()));
    var good = node.post(channel, true, 99 * 512, 512);
    node.await(() -> outside.ended() && across.ended() && good.ended() && far.ended(), SECOND);
    for (var bad : List.of(outside, across, far)) {
      assertEquals(Fault.Blame.REQUEST, bad.fault.blame());
      assertEquals(FailureCode.REMOTE_RANGE, bad.fault.code());
      assertEquals(Fault.Effect.NONE, bad.fault.effect());
    }
    assertTrue(good.good());
    assertEquals(1, target.writes() + target.reads(), "nothing of it was sent");
  }

  @Test
  void aNamespaceThatShrankMeanwhileRefusesItself() {
    var node = new Node(1, Map.of());
    var target = node.target(new SoftOptions().size(512, 100));
    var channel = node.up(target.name());
    target.options().size(512, 50);
    var outside = node.post(channel, true, 60 * 512, 512);
    node.await(outside::ended, SECOND);
    assertEquals(Fault.Blame.REQUEST, outside.fault.blame());
    assertEquals(FailureCode.REMOTE_RANGE, outside.fault.code());
    assertEquals(0x80, outside.fault.vendorCode());
  }

  @Test
  void whatDoesNotFitBlocksOrTheTargetIsRefusedHere() {
    var node = new Node(1, Map.of());
    var target = node.target(new SoftOptions().mdts(1));
    var channel = node.up(target.name());
    for (var wrong :
        List.of(
            node.post(channel, true, 100, 512),
            node.post(channel, true, 0, 100),
            node.post(channel, false, 0, 8192 + 512))) {
      assertTrue(wrong.ended());
      assertEquals(FailureCode.REJECTED, wrong.fault.code());
      assertEquals(Fault.Blame.REQUEST, wrong.fault.blame());
      assertTrue(wrong.fault.text().contains("512"), wrong.fault::text);
    }
    var good = node.post(channel, true, 0, 8192);
    node.await(good::ended, SECOND);
    assertTrue(good.good());
    assertEquals(1, target.writes());
  }

  @Test
  void aStatusFailsItsCommandOnly() {
    var node = new Node(1, Map.of());
    var target = node.target(new SoftOptions());
    var channel = node.up(target.name());
    target.rule(Rule.once(Stage.APPLY, 1, Action.STATUS).value(0x280));
    var bad = node.post(channel, true, 0, 512);
    var good = node.post(channel, true, 512, 512);
    node.await(() -> bad.ended() && good.ended(), SECOND);
    assertEquals(FailureCode.REMOTE_DEVICE, bad.fault.code());
    assertEquals(Fault.Effect.POSSIBLE, bad.fault.effect());
    assertTrue(good.good());
  }

  @Test
  void retiringReportsNothingBeforeTheLanesNextWork() {
    var node = new Node(8, Map.of());
    var target = node.target(new SoftOptions());
    var channel = node.up(target.name());
    target.freeze();
    var slice = node.post(channel, true, 0, 512);
    node.onLane(
        () -> {
          channel.retire(RetireReason.CLOSED, node.now());
          assertFalse(slice.ended());
          assertEquals(0, channel.room());
        });
    down(node, channel);
    assertEquals(Fault.Blame.NEUTRAL, slice.fault.blame());
    assertEquals(FailureCode.CLOSED, slice.fault.code());
  }

  @Test
  void aStreamThatBreaksInAFlushIsReportedByTheLanesNextWork() {
    var node = new Node(9, Map.of());
    var target = node.target(new SoftOptions());
    var channel = node.up(target.name());
    var wire = node.network.open().stream().filter(w -> w.local().getPort() > 40000).toList();
    node.onLane(
        () -> {
          wire.forEach(dev.shunt.api.sim.SimWire::cut);
          var slice = new TestSlice(node, true, node.memory, 0, 0, 512);
          channel.post(slice, node.now());
          channel.flush(node.now());
          assertFalse(slice.ended());
        });
    assertEquals(FailureCode.CONNECTION, down(node, channel).code());
  }

  @Test
  void aChannelTakesWhatItsRoomSays() {
    var node = new Node(6, Map.of("io-queue-size", 16));
    var target = node.target(new SoftOptions().queues(4, 8));
    var channel = node.up(target.name());
    assertEquals(15, node.transport.limits().depth());
    assertEquals(7, channel.room(), "the target takes queues of 8 entries");
    var slices = new ArrayList<TestSlice>();
    while (channel.room() > 0) {
      slices.add(node.post(channel, true, slices.size() * 512L, 512));
    }
    assertEquals(7, slices.size());
    node.await(() -> slices.stream().allMatch(TestSlice::good), SECOND);
    assertEquals(7, channel.room());
    assertEquals(List.of(), target.violations());
  }

  @Test
  void otherTargetsGoOnWhileOneIsDead() {
    var node = new Node(7, Map.of("command-timeout", "2s"));
    var dead = node.target(new SoftOptions());
    var alive = node.target(new SoftOptions());
    var deadChannel = node.up(dead.name());
    var channel = node.up(alive.name());
    dead.freeze();
    var stuck = node.post(deadChannel, true, 0, 512);
    for (int i = 0; i < 100; i++) {
      var slice = node.post(channel, true, 0, 512);
      node.await(slice::ended, 5 * MILLI);
      assertTrue(slice.good());
      node.world.run(50 * MILLI);
    }
    assertNotNull(stuck.fault);
    assertNull(node.answers.get(channel.link().id()).down);
  }
}

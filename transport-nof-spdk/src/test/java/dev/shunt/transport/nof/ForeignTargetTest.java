package dev.shunt.transport.nof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.contract.RealStage;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TargetOpening.Opened;
import dev.shunt.api.spi.TargetOpening.Refused;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The initiator against somebody else's target, whose data it overwrites: {@code
 * -Dshunt.nof.target=NAME} names its namespace, as a segment's name does. Skipped without.
 */
class ForeignTargetTest {
  private static final long SECOND = Node.SECOND;
  private static final long PATIENCE = 30 * SECOND;

  private static String target() {
    var name = System.getProperty("shunt.nof.target");
    assumeTrue(name != null, "no -Dshunt.nof.target: there is no such target here");
    return name;
  }

  private static Opened open(Node node, String name) {
    var opening = node.open(name, PATIENCE);
    return assertInstanceOf(Opened.class, opening, opening::toString);
  }

  private static void fill(MemorySegment memory, long seed) {
    var random = new SplittableRandom(seed);
    for (long i = 0; i < memory.byteSize(); i += 8) {
      memory.set(ValueLayout.JAVA_LONG, i, random.nextLong());
    }
  }

  @Test
  void whatIsWrittenIsReadWithAndWithoutDigests() {
    var name = target();
    for (int digests = 0; digests < 4; digests++) {
      var node =
          new Node(
              new RealStage(digests),
              Map.of("header-digest", (digests & 1) != 0, "data-digest", (digests & 2) != 0));
      var opened = open(node, name);
      System.out.println("digests " + digests + ": " + opened);
      var channel = node.up(name);
      fill(node.memory, digests);
      var expected = node.arena.allocate(node.memory.byteSize()).copyFrom(node.memory);
      var random = new SplittableRandom(digests);
      var written = new ArrayList<TestSlice>();
      for (long at = 0; at < node.memory.byteSize(); ) {
        long blocks = 1 + random.nextInt(random.nextBoolean() ? 8 : 512);
        long length = Math.min(blocks * opened.blockSize(), opened.maxSlice());
        length = Math.min(length, node.memory.byteSize() - at);
        node.await(() -> channel.room() > 0, PATIENCE);
        written.add(node.post(channel, true, at, length));
        at += length;
      }
      node.await(() -> written.stream().allMatch(TestSlice::ended), PATIENCE);
      assertTrue(written.stream().allMatch(TestSlice::good), written::toString);
      node.memory.fill((byte) 0);
      var read = new ArrayList<TestSlice>();
      for (var slice : written) {
        node.await(() -> channel.room() > 0, PATIENCE);
        read.add(node.post(channel, false, slice.remoteAddress(), slice.length()));
      }
      node.await(() -> read.stream().allMatch(TestSlice::ended), PATIENCE);
      assertTrue(read.stream().allMatch(TestSlice::good), read::toString);
      assertEquals(-1, node.memory.mismatch(expected), "the first byte that differs");
      node.close();
    }
  }

  @Test
  void whatItRefusesIsTold() {
    var name = target();
    var node = new Node(new RealStage(1), Map.of());
    var opened = open(node, name);
    var channel = node.up(name);
    var beyond = node.post(channel, true, opened.size(), opened.blockSize());
    node.await(beyond::ended, PATIENCE);
    assertEquals(FailureCode.REMOTE_RANGE, beyond.fault.code(), beyond::toString);
    assertEquals(Fault.Effect.NONE, beyond.fault.effect());
    var good = node.post(channel, false, opened.size() - opened.blockSize(), opened.blockSize());
    node.await(good::ended, PATIENCE);
    assertTrue(good.good(), good::toString);
    for (var wrong :
        new String[] {
          name.replaceAll("ns:\\d+", "ns:77"), name.replace("subnqn:", "subnqn:nqn.")
        }) {
      var refused = assertInstanceOf(Refused.class, node.open(wrong, PATIENCE));
      System.out.println(refused.fault());
      assertEquals(FailureCode.UNKNOWN_SEGMENT, refused.fault().code(), refused::toString);
    }
    node.close();
  }

  @Test
  void anIdleControllerIsKept() {
    var name = target();
    var node = new Node(new RealStage(1), Map.of("keep-alive-timeout", "2s"));
    open(node, name);
    var channel = node.up(name);
    node.stage.run(9 * SECOND);
    assertNull(node.answers.get(channel.link().id()).down);
    var slice = node.post(channel, false, 0, 4096);
    node.await(slice::ended, PATIENCE);
    assertTrue(slice.good(), slice::toString);
    node.close();
  }

  @Test
  void manyQueuesComeAndGo() {
    var name = target();
    var node = new Node(new RealStage(1), Map.of());
    open(node, name);
    var channels = new ArrayDeque<Channel>();
    for (int i = 0; i < 40; i++) {
      var channel = node.up(name);
      var slice = node.post(channel, false, 0, 4096);
      node.await(slice::ended, PATIENCE);
      assertTrue(slice.good(), slice::toString);
      channels.add(channel);
      if (channels.size() > 2) {
        var old = channels.remove();
        node.onLane(() -> old.retire(dev.shunt.api.spi.RetireReason.EVICTED, node.now()));
        node.await(() -> node.answers.get(old.link().id()).down != null, PATIENCE);
      }
    }
    node.close();
  }
}

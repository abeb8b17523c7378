package dev.shunt.api.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shunt.api.Access;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** What the remote refuses fails alone, changes nothing, and is the request's own fault. */
interface RefusalContract extends Contract {
  @Test
  default void aRangeOutsideIsRefusedAndTheChannelStaysInStep() {
    play(
        bench -> {
          long length = bench.blocks(5000);
          long end = bench.far().address() + bench.far().length();
          refused(bench, end - length + bench.far().block(), length, FailureCode.REMOTE_RANGE);
        });
  }

  @Test
  default void aRangeThatEndsBeyondAllAddressesIsRefused() {
    play(
        bench -> {
          long length = bench.blocks(5000);
          refused(bench, -bench.far().block(), length, FailureCode.REMOTE_RANGE);
        });
  }

  /** A bad write between good ones. */
  private static void refused(ContractBench bench, long address, long length, FailureCode code) {
    var channel = bench.up();
    var good = new ArrayList<ContractSlice>();
    ContractSlice bad = null;
    for (int i = 0; i < 9; i++) {
      long at = i * length;
      if (i == 4) {
        bad = bench.slice(true, bench.local(), at, length, address, bench.far().key(0));
        bench.post(channel, bad);
      } else if (at + length <= bench.far().length() - length) {
        var slice = bench.slice(true, at, at, length);
        good.add(slice);
        bench.post(channel, slice);
      }
      if (channel.down() != null) {
        break;
      }
    }
    afterRefusal(bench, channel, good, bad, code);
  }

  private static void afterRefusal(
      ContractBench bench,
      ContractChannel channel,
      Iterable<ContractSlice> good,
      ContractSlice bad,
      FailureCode code) {
    bench.await("the report of " + bad, bad::ended);
    for (var slice : good) {
      bench.await("the report of " + slice, slice::ended);
    }
    assertRefused(bench, bad, code);
    boolean ends = bench.kit().refusalEndsChannel();
    for (var slice : good) {
      if (slice.state() == ContractSlice.State.COMPLETED) {
        bench.expectWritten(slice);
      } else {
        assertTrue(ends, () -> "a refusal fails its own slice only: " + slice);
        assertEquals(Fault.Blame.NEUTRAL, slice.fault().blame(), slice::toString);
        if (slice.fault().effect() == Fault.Effect.POSSIBLE) {
          bench.expectAnything(slice);
        }
      }
    }
    bench.assertRemote("after the refusal");
    if (ends) {
      bench.await("the channel's end", () -> channel.down() != null);
    } else {
      assertNull(channel.down(), "the channel stays");
    }
    var next = ends ? bench.up() : channel;
    var after = bench.slice(true, 0, 0, bench.blocks(100));
    bench.expectWritten(after);
    bench.carry(next, after);
    bench.assertRemote("after one more");
  }

  private static void assertRefused(ContractBench bench, ContractSlice bad, FailureCode code) {
    assertEquals(ContractSlice.State.FAILED, bad.state(), bad::toString);
    assertEquals(Fault.Blame.REQUEST, bad.fault().blame(), bad::toString);
    assertEquals(Fault.Effect.NONE, bad.fault().effect(), bad::toString);
    var got = bad.fault().code();
    boolean coarse =
        bench.kit().refusalEndsChannel()
            && (got == FailureCode.REMOTE_RANGE || got == FailureCode.REMOTE_ACCESS);
    assertTrue(got == code || coarse, () -> "the code of " + bad + " should be " + code);
  }

  @Test
  default void aWriteWhereOnlyReadingIsAllowedIsRefused() {
    play(bench -> denied(bench, true, Access.REMOTE_READ));
  }

  @Test
  default void aReadWhereOnlyWritingIsAllowedIsRefused() {
    play(
        bench -> {
          bench.assumeReads();
          denied(bench, false, Access.REMOTE_WRITE);
        });
  }

  @Test
  default void nothingIsAllowedOnMemoryThatIsLocal() {
    play(bench -> denied(bench, true, Access.LOCAL));
  }

  private static void denied(ContractBench bench, boolean write, Access access) {
    var memory = bench.b().register(bench.allocate(8192), access);
    var before = memory.memory().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    var channel = bench.up();
    long key = memory.keys().isEmpty() ? 0 : memory.key(0);
    var bad = bench.slice(write, bench.local(), 0, 8192, memory.address(), key);
    var localBefore = bench.local().memory().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    bench.post(channel, bad);
    bench.await("the report of " + bad, bad::ended);
    assertRefused(bench, bad, FailureCode.REMOTE_ACCESS);
    org.junit.jupiter.api.Assertions.assertArrayEquals(
        before, memory.memory().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    org.junit.jupiter.api.Assertions.assertArrayEquals(
        localBefore, bench.local().memory().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
  }

  @Test
  default void theKeyOfAnOlderRegistrationIsRefused() {
    play(
        bench -> {
          var memory = bench.allocate(8192);
          var old = bench.b().register(memory, Access.REMOTE_READ_WRITE);
          long oldKey = old.key(0);
          var channel = bench.up();
          var good = bench.slice(true, bench.local(), 0, 8192, old.address(), oldKey);
          bench.carry(channel, good);
          bench.b().unregister(old);
          var gone = bench.slice(true, bench.local(), 100, 8000, old.address(), oldKey);
          bench.post(channel, gone);
          bench.await("the report of " + gone, gone::ended);
          assertRefused(bench, gone, FailureCode.REMOTE_RANGE);
          var fresh = bench.b().register(memory, Access.REMOTE_READ_WRITE);
          assertTrue(fresh.key(0) != oldKey, "a new registration has a new key");
          var next = channel.down() == null && channel.room() > 0 ? channel : bench.up();
          var stale = bench.slice(true, bench.local(), 200, 8000, old.address(), oldKey);
          bench.post(next, stale);
          bench.await("the report of " + stale, stale::ended);
          assertRefused(bench, stale, FailureCode.REMOTE_RANGE);
          assertEquals(
              -1,
              memory.mismatch(bench.local().memory().asSlice(0, 8192)),
              "memory that only the first write may have changed");
          var right = next.down() == null && next.room() > 0 ? next : bench.up();
          var last = bench.slice(true, bench.local(), 300, 8000, fresh.address(), fresh.key(0));
          bench.carry(right, last);
        });
  }

  @Test
  default void aStaleGenerationIsRefused() {
    play(
        bench -> {
          var now = bench.b().asRemote();
          var old =
              new dev.shunt.api.spi.Remote.Node(now.name(), now.generation() - 1, now.verdict());
          var answer =
              bench
                  .a()
                  .connect(
                      bench.request(old, bench.a().freshId(), 0, 0, bench.rail(0), 5 * SECOND));
          bench.await("the answer", answer::answered);
          assertNotNull(answer.fault(), answer::toString);
          assertEquals(FailureCode.STALE_GENERATION, answer.fault().code(), answer::toString);
          bench.carry(bench.up(), bench.slice(true, 0, 0, bench.blocks(100)));
        });
  }

  @Test
  default void nonsenseCostsNobodyElseAnything() {
    play(
        bench -> {
          var channel = bench.up();
          for (int i = 0; i < 20; i++) {
            var bytes = new byte[(int) bench.dice().between(1, 300)];
            for (int j = 0; j < bytes.length; j++) {
              bytes[j] = (byte) bench.dice().next();
            }
            assumeTrue(
                bench.faults().nonsense(bench.rail(0).attributes(), bytes),
                "the kit throws no nonsense");
          }
          bench.stage().run(100 * MILLI);
          var slice = bench.slice(true, 0, 0, bench.blocks(70_000));
          bench.expectWritten(slice);
          bench.carry(channel, slice);
          bench.assertRemote("after the nonsense");
        });
  }
}

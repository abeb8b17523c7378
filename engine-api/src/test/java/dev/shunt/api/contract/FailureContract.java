package dev.shunt.api.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RetireReason;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When something breaks, each slice still ends once, honestly, and the rest goes on. */
interface FailureContract extends Contract {
  @Test
  default void killingTheChannelInMidTransferEndsEverySliceOnce() {
    play(
        bench -> {
          var channel = bench.up();
          var posted = flood(bench, channel);
          bench.stage().run(bench.dice().below(400_000));
          assumeTrue(bench.faults().cut(0, 0), "the kit cannot cut a path");
          down(bench, channel, posted);
          for (var slice : posted) {
            if (slice.fault() != null) {
              assertTrue(
                  slice.fault().blame() == Fault.Blame.REMOTE
                      || slice.fault().blame() == Fault.Blame.NEUTRAL,
                  () -> "who is to blame for a cut path: " + slice);
            }
          }
          bench.stage().run(SECOND);
          honest(bench, posted);
          bench.carry(bench.up(), bench.slice(true, 0, 0, bench.blocks(3000)));
        });
  }

  @Test
  default void retiringInMidTransferEndsEverySliceOnceWhateverTheReason() {
    play(
        bench -> {
          for (var reason : RetireReason.values()) {
            bench.remember();
            var channel = bench.up();
            var posted = flood(bench, channel);
            bench.stage().run(bench.dice().below(200_000));
            channel.retire(reason);
            down(bench, channel, posted);
            for (var slice : posted) {
              if (slice.fault() != null) {
                assertEquals(Fault.Blame.NEUTRAL, slice.fault().blame(), slice::toString);
              }
            }
            bench.stage().run(SECOND / 10);
            honest(bench, posted);
          }
          bench.carry(bench.up(), bench.slice(true, 0, 0, bench.blocks(3000)));
        });
  }

  /** Fills the channel with writes and reads of ranges of their own. */
  private static List<ContractSlice> flood(ContractBench bench, ContractChannel channel) {
    int block = bench.far().block();
    int count = (int) Math.min(60, bench.far().length() / block);
    long each = Math.min(bench.far().length(), ContractBench.MEMORY) / count / block * block;
    bench.fill(bench.local().memory());
    var posted = new ArrayList<ContractSlice>();
    for (int i = 0; i < count && channel.room() > 0; i++) {
      boolean write = !bench.limits().reads() || bench.dice().permille(700);
      long length = Math.max(block, bench.dice().between(1, each) / block * block);
      var slice = bench.slice(write, i * each, i * each, length);
      posted.add(slice);
      channel.post(slice);
    }
    return posted;
  }

  private static void down(
      ContractBench bench, ContractChannel channel, List<ContractSlice> posted) {
    bench.await("the channel's end", () -> channel.down() != null);
    for (var slice : posted) {
      assertTrue(slice.ended(), () -> "reported before its channel was down: " + slice);
    }
  }

  /** What completed is there, what has no effect is not. */
  private static void honest(ContractBench bench, List<ContractSlice> posted) {
    for (var slice : posted) {
      if (!slice.write()) {
        continue;
      }
      if (slice.fault() == null) {
        assertTrue(bench.same(slice), () -> "applied, since it is completed: " + slice);
      } else if (slice.fault().effect() == Fault.Effect.NONE) {
        assertTrue(bench.unchanged(slice), () -> "without effect, and yet: " + slice);
      }
    }
  }

  @Test
  default void nothingTouchesLocalMemoryAfterAReport() {
    play(
        bench -> {
          var channel = bench.up();
          boolean early = bench.dice().permille(500);
          if (early) {
            assumeTrue(bench.faults().hold(0, 0), "the kit cannot hold a path");
          }
          var posted = flood(bench, channel);
          bench.stage().run(bench.dice().below(200_000));
          if (!early) {
            assumeTrue(bench.faults().hold(0, 0), "the kit cannot hold a path");
          }
          bench.stage().run(MILLI);
          channel.retire(RetireReason.STALLED);
          down(bench, channel, posted);
          var local = bench.local().memory();
          local.fill((byte) 0xee);
          bench.faults().release(0, 0);
          bench.stage().run(5 * SECOND);
          var untouched = bench.allocate(local.byteSize()).fill((byte) 0xee);
          assertEquals(-1, untouched.mismatch(local), "a local byte that changed");
          for (var slice : posted) {
            if (slice.write()) {
              assertFalse(marked(bench, slice), () -> "new local bytes went out by " + slice);
            }
          }
          honestWrites(bench, posted);
        });
  }

  private static boolean marked(ContractBench bench, ContractSlice slice) {
    var seen = bench.allocate(slice.length());
    bench.far().copyOut(slice.remoteAddress() - bench.far().address(), seen);
    int run = 0;
    for (long i = 0; i < slice.length(); i++) {
      run = seen.get(ValueLayout.JAVA_BYTE, i) == (byte) 0xee ? run + 1 : 0;
      if (run >= 8) {
        return true;
      }
    }
    return false;
  }

  private static void honestWrites(ContractBench bench, List<ContractSlice> posted) {
    for (var slice : posted) {
      if (slice.write() && slice.fault() != null && slice.fault().effect() == Fault.Effect.NONE) {
        assertTrue(bench.unchanged(slice), () -> "without effect, and yet: " + slice);
      }
    }
  }

  @Test
  default void connectingToNobodyFailsByTheDeadline() {
    play(
        bench -> {
          var to = bench.remote();
          var rail = bench.rail(0);
          bench.killRemote();
          fails(bench, bench.request(to, bench.a().freshId(), 0, 0, rail, SECOND));
        });
  }

  @Test
  default void connectingIntoSilenceFailsByTheDeadline() {
    play(
        bench -> {
          assumeTrue(bench.faults().silence(0, 0), "the kit cannot silence a path");
          if (!bench.kit().target().isPresent()) {
            bench.b().silence(true);
          }
          fails(
              bench,
              bench.request(bench.remote(), bench.a().freshId(), 0, 0, bench.rail(0), SECOND));
          bench.faults().heal(0, 0);
          if (!bench.kit().target().isPresent()) {
            bench.b().silence(false);
          }
          bench.carry(bench.up(), bench.slice(true, 0, 0, bench.blocks(100)));
        });
  }

  private static void fails(ContractBench bench, dev.shunt.api.spi.ConnectRequest request) {
    var answer = bench.a().connect(request);
    bench.await("the answer", answer::answered);
    assertNotNull(answer.fault(), answer::toString);
    assertEquals(Fault.Effect.NONE, answer.fault().effect(), answer::toString);
    assertTrue(answer.late() < 100 * MILLI, () -> answer + " came late by ns: " + answer.late());
    bench.stage().run(2 * SECOND);
  }

  @Test
  default void theDeathOfTheRemoteEndsEverything() {
    play(
        bench -> {
          var channel = bench.up();
          var posted = flood(bench, channel);
          bench.stage().run(bench.dice().below(200_000));
          bench.killRemote();
          down(bench, channel, posted);
          for (var slice : posted) {
            if (slice.fault() != null) {
              assertTrue(
                  slice.fault().blame() != Fault.Blame.LOCAL
                      && slice.fault().blame() != Fault.Blame.REQUEST,
                  () -> "who is to blame for the remote's death: " + slice);
            }
          }
        });
  }

  @Test
  default void aRemoteThatWasFrozenGoesOnWhereItWas() {
    play(
        bench -> {
          var channel = bench.up();
          bench.carry(channel, bench.slice(true, 0, 0, bench.blocks(100)));
          bench.freezeRemote();
          var posted = flood(bench, channel);
          bench.stage().run(bench.dice().below(SECOND / 2));
          bench.thawRemote();
          bench.ended(posted);
          for (var slice : posted) {
            assertEquals(ContractSlice.State.COMPLETED, slice.state(), slice::toString);
            assertTrue(bench.same(slice), slice::toString);
          }
        });
  }

  @Test
  default void closingWhileTransfersRunReportsThemAll() {
    play(
        bench -> {
          var channel = bench.up();
          var posted = flood(bench, channel);
          bench.stage().run(bench.dice().below(200_000));
          bench.a().close();
          for (var slice : posted) {
            assertTrue(slice.ended(), () -> "reported when its driver was closed: " + slice);
          }
          bench.stage().run(SECOND);
          honest(bench, posted);
        });
  }

  @Test
  default void closingTheRemoteWhileTransfersRunEndsThemAll() {
    play(
        bench -> {
          var remote = bench.b();
          var channel = bench.up();
          var posted = flood(bench, channel);
          bench.stage().run(bench.dice().below(200_000));
          remote.close();
          down(bench, channel, posted);
          honest(bench, posted);
        });
  }
}

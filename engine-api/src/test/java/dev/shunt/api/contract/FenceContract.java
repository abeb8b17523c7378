package dev.shunt.api.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was redone elsewhere never lands late. */
interface FenceContract extends Contract {
  /** What the old channel still had. */
  int SLICES = 6;

  @Test
  default void aFencedWriteNeverLandsAfterItsRedo() {
    play(
        bench -> {
          assumeTrue(bench.limits().fencing() == Fencing.ORDERED, "Limits.fencing is not ORDERED");
          bench.assumeTwoRails();
          var fresh = bench.up(bench.a().lanes() - 1, 1, 1);
          var old = stalled(bench);
          bench.await("the fence is taken", () -> fresh.fence(old));
          redo(bench, fresh);
          bench.fill(bench.local().memory());
          redo(bench, fresh);
          bench.assertRemote("after newer data");
          bench.faults().release(0, 0);
          bench.stage().run(5 * SECOND);
          bench.assertRemote("after the late bytes of a fenced link");
        });
  }

  /** Writes on rail 0 that are stuck somewhere; gives the link's name. */
  private static LinkId stalled(ContractBench bench) {
    var old = bench.up(0, 0, 0);
    boolean early = bench.dice().permille(300);
    if (early) {
      assumeTrue(bench.faults().hold(0, 0), "the kit cannot hold a path");
    }
    long each = bench.blocks(40_000);
    var posted = new ArrayList<ContractSlice>();
    for (int i = 0; i < SLICES && (i + 1) * each <= bench.far().length(); i++) {
      var slice = bench.slice(true, i * each, i * each, each);
      posted.add(slice);
      bench.post(old, slice);
    }
    if (!early) {
      bench.stage().run(bench.dice().below(150_000));
      assumeTrue(bench.faults().hold(0, 0), "the kit cannot hold a path");
    }
    bench.stage().run(2 * MILLI);
    old.retire(RetireReason.STALLED);
    bench.await("the stalled channel's end", () -> old.down() != null);
    return old.id();
  }

  private static void redo(ContractBench bench, ContractChannel channel) {
    long each = bench.blocks(40_000);
    for (int i = 0; i < SLICES && (i + 1) * each <= bench.far().length(); i++) {
      var slice =
          bench.slice(
              true,
              bench.local(),
              i * each,
              each,
              bench.far().address() + i * each,
              bench.far().key(channel.remoteRail()));
      bench.expectWritten(slice);
      bench.carry(channel, slice);
    }
  }

  @Test
  default void fromTheAnswerOfAFenceOnNothingOfThatLinkLands() {
    play(
        bench -> {
          var remote = bench.b();
          assumeTrue(promises(bench), "Limits.fencing is NONE or GRACE");
          var old = stalled(bench);
          assertTrue(fenced(bench, remote, old), "the remote fences the link");
          bench.remember();
          bench.faults().release(0, 0);
          bench.stage().run(5 * SECOND);
          bench.assertRemote("after the late bytes of a fenced link");
          bench.carry(bench.up(), bench.slice(true, 0, 0, bench.blocks(3000)));
        });
  }

  @Test
  default void aFencedLinkThatWasUnknownIsRefusedWhenItAppears() {
    play(
        bench -> {
          var remote = bench.b();
          assumeTrue(promises(bench), "Limits.fencing is NONE or GRACE");
          var id = bench.a().freshId();
          assertTrue(fenced(bench, remote, id), "the remote fences a link that it does not know");
          var answer =
              bench.a().connect(bench.request(bench.remote(), id, 0, 0, bench.rail(0), 2 * SECOND));
          bench.await("the answer", answer::answered);
          assertNotNull(answer.fault(), () -> "a fenced link comes up: " + answer);
          bench.carry(bench.up(), bench.slice(true, 0, 0, bench.blocks(3000)));
        });
  }

  @Test
  default void aFenceLeavesOtherLinksAlone() {
    play(
        bench -> {
          var remote = bench.b();
          assumeTrue(promises(bench), "Limits.fencing is NONE or GRACE");
          var one = bench.up(0, 0, 0);
          var other = bench.up(bench.a().lanes() - 1, 0, 0);
          var slice = bench.slice(true, 0, 0, bench.blocks(200_000));
          bench.expectWritten(slice);
          bench.post(other, slice);
          assertTrue(fenced(bench, remote, one.id()), "the remote fences the link");
          bench.completed(slice);
          bench.assertRemote("after a fence of another link");
        });
  }

  private static boolean promises(ContractBench bench) {
    return switch (bench.limits().fencing()) {
      case ORDERED, BY_WORD -> true;
      case GRACE, NONE -> false;
    };
  }

  private static boolean fenced(ContractBench bench, ContractHost remote, LinkId link) {
    List<Boolean> answers = new ArrayList<>();
    remote.supervisor().execute(() -> remote.transport().fence(link, answers::add));
    bench.await("the answer to a fence", () -> !answers.isEmpty());
    bench.stage().run(MILLI);
    assertEquals(1, answers.size(), "answers to a fence");
    return answers.getFirst();
  }
}

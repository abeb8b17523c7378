package dev.shunt.api.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bytes get where they belong, and each slice is reported once. */
interface DataContract extends Contract {
  /** Sizes around which things go wrong. */
  long[] SIZES = {1, 2, 511, 512, 513, 4095, 4096, 4097, 65_535, 65_536, 65_537, 262_143};

  @Test
  default void bytesOfEachSizeArriveAndNothingElseChanges() {
    play(
        bench -> {
          var channel = bench.up();
          for (long size : SIZES) {
            long length = Math.min(bench.blocks(size), bench.maxSlice());
            long room = Math.min(ContractBench.MEMORY, bench.far().length()) - length;
            long from = bench.dice().below(room + 1);
            long to = bench.dice().below(room / bench.far().block() + 1) * bench.far().block();
            var slice = bench.slice(true, from, to, length);
            bench.expectWritten(slice);
            bench.carry(channel, slice);
            bench.assertRemote("after " + slice);
          }
        });
  }

  @Test
  default void readReturnsWhatIsThereAndNothingElseChanges() {
    play(
        bench -> {
          bench.assumeReads();
          var channel = bench.up();
          for (long size : SIZES) {
            long length = Math.min(bench.blocks(size), bench.maxSlice());
            long room = Math.min(ContractBench.MEMORY, bench.far().length()) - length;
            long into = bench.dice().below(room + 1);
            long from = bench.dice().below(room / bench.far().block() + 1) * bench.far().block();
            var local = bench.local().memory();
            bench.fill(local);
            var before = bench.allocate(local.byteSize());
            MemorySegment.copy(local, 0, before, 0, local.byteSize());
            var slice = bench.slice(false, into, from, length);
            bench.carry(channel, slice);
            assertTrue(bench.same(slice), () -> "local memory after " + slice);
            MemorySegment.copy(local, into, before, into, length);
            assertEquals(-1, before.mismatch(local), () -> "a local byte outside " + slice);
            bench.assertRemote("after " + slice);
          }
        });
  }

  @Test
  default void theLargestSliceWorks() {
    play(
        bench -> {
          var channel = bench.up();
          long length = Math.min(bench.maxSlice(), ContractBench.MEMORY);
          length = Math.min(length, bench.far().length()) / bench.far().block();
          length *= bench.far().block();
          var local = bench.local();
          var far = bench.far();
          if (bench.maxSlice() > length && bench.kit().target().isEmpty()) {
            length = bench.maxSlice();
            local = bench.a().register(bench.allocate(length), dev.shunt.api.Access.LOCAL);
            far =
                bench.b().register(bench.allocate(length), dev.shunt.api.Access.REMOTE_READ_WRITE);
          }
          var slice = bench.slice(true, local, 0, length, far.address(), far.key(0));
          bench.carry(channel, slice);
          var seen = bench.allocate(length);
          far.copyOut(0, seen);
          assertEquals(-1, local.memory().asSlice(0, length).mismatch(seen), slice::toString);
        });
  }

  @Test
  default void manySlicesAreEachReportedOnce() {
    play(
        bench -> {
          var channel = bench.up();
          int block = bench.far().block();
          int count = 256;
          long each = Math.min(bench.far().length(), ContractBench.MEMORY) / count / block * block;
          var posted = new ArrayList<ContractSlice>();
          for (int i = 0; i < count; i++) {
            long length = Math.max(block, bench.dice().between(1, each) / block * block);
            boolean write = !bench.limits().reads() || bench.dice().permille(500);
            var slice = bench.slice(write, i * each, i * each, length);
            if (write) {
              bench.expectWritten(slice);
            }
            posted.add(slice);
            bench.post(channel, slice);
          }
          bench.ended(posted);
          for (var slice : posted) {
            assertEquals(ContractSlice.State.COMPLETED, slice.state(), slice::toString);
            assertTrue(bench.same(slice), slice::toString);
          }
          bench.assertRemote("after all");
        });
  }

  @Test
  default void aCompletedWriteIsAppliedWhenItIsReported() {
    play(
        bench -> {
          var channel = bench.up();
          int block = bench.far().block();
          var torn = new ArrayList<String>();
          var posted = new ArrayList<ContractSlice>();
          long each = Math.max(block, 16_384);
          for (int i = 0; i < 32 && (i + 1) * each <= bench.far().length(); i++) {
            var slice = bench.slice(true, i * each, i * each, each);
            slice.onReport(
                () -> {
                  if (!bench.same(slice)) {
                    torn.add(slice.toString());
                  }
                });
            posted.add(slice);
            bench.post(channel, slice);
          }
          bench.ended(posted);
          assertEquals(List.of(), torn);
        });
  }

  @Test
  default void whatThereIsRoomForIsTakenAndTheRoomComesBack() {
    play(
        bench -> {
          var channel = bench.up();
          int block = bench.far().block();
          int first = channel.room();
          assertTrue(first > 0, "room on a new channel");
          long slots = Math.min(bench.far().length(), ContractBench.MEMORY) / block;
          var posted = new ArrayList<ContractSlice>();
          for (int round = 0; round < 3; round++) {
            int n = 0;
            while (channel.room() > 0 && n <= bench.limits().depth()) {
              long at = n % slots * block;
              var slice = bench.slice(true, at, at, block);
              posted.add(slice);
              channel.post(slice);
              n++;
            }
            bench.ended(posted);
            assertEquals(first, channel.room(), "room when everything was reported");
          }
          for (var slice : posted) {
            assertEquals(ContractSlice.State.COMPLETED, slice.state(), slice::toString);
          }
        });
  }

  @Test
  default void theRemoteHoldsNothingWhenAllIsReported() {
    play(
        bench -> {
          var remote = bench.b();
          var channel = bench.up();
          for (int i = 0; i < 20; i++) {
            bench.carry(channel, bench.slice(true, 0, i * 20_000L, 10 + i * 900L));
          }
          bench.stage().run(MILLI);
          assertEquals(0, remote.regions().leases(), "leases that are held");
        });
  }

  @Test
  default void theLanesCarryAtTheSameTime() {
    play(
        bench -> {
          int lanes = bench.a().lanes();
          var channels = new ArrayList<ContractChannel>();
          for (int i = 0; i < lanes; i++) {
            channels.add(bench.up(i, 0, 0));
          }
          int block = bench.far().block();
          long each = bench.blocks(3000);
          var posted = new ArrayList<ContractSlice>();
          for (int i = 0; i < 64 && (i + 1) * each <= bench.far().length(); i++) {
            var slice = bench.slice(true, i * block, i * each, each);
            bench.expectWritten(slice);
            posted.add(slice);
            bench.post(channels.get(i % lanes), slice);
          }
          bench.ended(posted);
          bench.assertRemote("after all");
        });
  }

  @Test
  default void postAllocatesNothing() {
    play(
        bench -> {
          var meter = new AllocationMeter(bench);
          long least = meter.leastOfPost();
          assertEquals(0, least, "heap bytes of the best round of posts");
        });
  }

  @Test
  default void neitherSideAllocatesForASlice() {
    play(
        bench -> {
          org.junit.jupiter.api.Assumptions.assumeTrue(
              bench.stage().virtual(), "the selectors of the real stage allocate");
          org.junit.jupiter.api.Assumptions.assumeTrue(
              bench.kit().target().isEmpty(), "the other side is the kit's own target");
          var meter = new AllocationMeter(bench);
          long least = meter.leastOfAll();
          assertEquals(0, least, "heap bytes of the best round, with all turns of both sides");
        });
  }
}

package dev.shunt.runtime.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.Transfer;
import dev.shunt.api.spi.RegionKey;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Peers that share one lane, which moves 2 GB a second, in virtual time. */
class PeerFairnessTest {
  private static final long FOREVER = Long.MAX_VALUE / 4;
  private static final long GIB = 1L << 30;
  private static final double MS = 1e6;

  private final VirtualLane virtual = new VirtualLane();
  private long parts;
  private long lastDone;

  @Test
  void aSmallBatchWaitsForOneTurnOfTheOthersAndNotForTheirBatches() {
    int peers = 50;
    var large = new ArrayList<BatchHandle>();
    for (int i = 0; i < peers; i++) {
      large.add(submit(virtual.route("peer " + i), GIB));
    }
    var quiet = virtual.route("quiet");
    until(submit(quiet, 4096));
    for (int i = 0; i < 10; i++) {
      virtual.turn();
    }
    long asked = virtual.now;
    until(submit(quiet, 4096));
    assertEquals(peers, large.stream().filter(batch -> !batch.isDone()).count());
    double waited = (lastDone - asked) / MS;
    System.out.printf("4 KiB beside %d peers at 1 GiB each: after %.1f ms%n", peers, waited);
    // 50 times 1 MiB takes 26 ms.
    assertTrue(waited < 30, () -> "a small batch waited for ms " + waited);
    until(large.getFirst());
    for (var batch : large) {
      long lag = GIB - batch.transferredBytes();
      assertTrue(lag <= 32 * VirtualLane.MIB, () -> "a peer lags behind by " + lag);
    }
  }

  @Test
  void aPeerThatIsIdleCostsNothingInATurn() {
    for (int i = 0; i < 1000; i++) {
      until(submit(virtual.route("idle " + i), 4096));
    }
    var busy = virtual.route("busy");
    until(submit(busy, 4096));
    while (virtual.turn()) {
      // Until it rests.
    }
    assertEquals(0, virtual.lane.listed(), "flows that the next turn would look at");
    virtual.asked = 0;
    virtual.flushes = 0;
    until(submit(busy, 4096));
    assertEquals(1, virtual.flushes);
    // Before, and once more whether another one would fit: of the busy one's channel alone.
    assertTrue(virtual.asked <= 2, () -> virtual.asked + " channels were looked at");
  }

  private void until(BatchHandle batch) {
    while (!batch.isDone()) {
      assertTrue(virtual.turn(), "nothing moves any more");
    }
  }

  private BatchHandle submit(LaneRoute route, long length) {
    var request = Request.read(MemorySegment.NULL, new Nowhere(), 0);
    var batch = new BatchHandle(Batch.of(request), new Listening());
    batch.expect(1);
    var part = virtual.lane.part(batch, route);
    part.add(1)
        .set(
            0,
            true,
            MemorySegment.NULL,
            0,
            length,
            0,
            new RegionKey[] {() -> 1},
            new long[0],
            () -> {});
    assertTrue(route.room().tryAcquire(1));
    part.room(1);
    assertTrue(part.submit(virtual.now, FOREVER, ++parts));
    batch.submitted(part, null);
    return batch;
  }

  private final class Listening implements BatchHandle.Host {
    @Override
    public Executor delivery() {
      return Runnable::run;
    }

    @Override
    public void batchDone(Batch batch, Transfer.Result result) {
      lastDone = virtual.now;
    }
  }

  private static final class Nowhere implements Segment {
    @Override
    public String name() {
      return "nowhere";
    }

    @Override
    public long generation() {
      return 0;
    }

    @Override
    public int blockSize() {
      return 1;
    }

    @Override
    public List<RemoteBuffer> buffers() {
      return List.of(new RemoteBuffer(0, 1, Access.LOCAL));
    }
  }
}

package dev.shunt.runtime.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Request;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Transfer;
import dev.shunt.runtime.engine.RuntimeFactory;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whole engines over loopback, closed while callers submit. */
class EngineCloseStressTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int SIZE = 256 << 10;
  private static final int FIRST = 20;
  private static final int MOST = 10_000;

  @Test
  void everyTransferEndsAndTheCloseIsQuickThoughCallersGoOn() throws InterruptedException {
    try (var racers = new Racers("EngineCloseStressTest", 5)) {
      while (racers.another(40)) {
        round(racers, racers.chance());
      }
    }
  }

  private static void round(Racers racers, SplittableRandom chance) throws InterruptedException {
    // Towards an engine that is gone, only a cancel ends a transfer before its deadline.
    var farFirst = chance.nextBoolean();
    var near = engine();
    var far = engine();
    try {
      var local = near.arena().allocate(SIZE, 4096);
      var remote = far.arena().allocate(SIZE, 4096);
      near.register(local, Access.LOCAL);
      far.register(remote, Access.REMOTE_READ_WRITE);
      var segment = near.openSegment(far.name(), SOON);
      var batch = Batch.of(Request.write(local, segment, remote.address())).within(SOON);
      var submitted = new ConcurrentLinkedQueue<Transfer>();
      var took = new long[1];
      var closing = new AtomicBoolean();
      Runnable caller =
          () -> {
            try {
              for (int i = 0; i < MOST; i++) {
                submitted.add(near.submit(batch));
                while (i == FIRST && !closing.get()) {
                  Thread.yield();
                }
              }
            } catch (ShuntException closed) {
              assertEquals(FailureCode.CLOSED, closed.code());
            }
          };
      Runnable closer =
          () -> {
            while (submitted.size() < 2 * FIRST) {
              Thread.yield();
            }
            if (farFirst) {
              far.close();
            }
            closing.set(true);
            Racers.dawdle(chance, 1000);
            var before = System.nanoTime();
            near.close();
            took[0] = System.nanoTime() - before;
          };
      racers.run(List.of(caller, caller, closer));
      // Less than the 10 s that a close waits for what nobody cancelled.
      assertTrue(took[0] < TimeUnit.SECONDS.toNanos(8), () -> "the close took ns " + took[0]);
      for (var transfer : submitted) {
        assertTrue(transfer.done().isDone(), "a transfer has not ended");
        assertTrue(transfer.settled().isDone(), "a transfer has not settled");
        var called = new AtomicInteger();
        transfer.done().whenDone(_ -> called.incrementAndGet());
        assertEquals(1, called.get(), "calls back of an engine that is closed");
        assertTrue(transfer.settled().toStage().toCompletableFuture().isDone());
      }
    } finally {
      near.close();
      far.close();
    }
  }

  private static Engine engine() {
    return new RuntimeFactory()
        .builder()
        .set("transports.rdma.enable", false)
        .set("failover.max-attempts", 1000)
        .open();
  }
}

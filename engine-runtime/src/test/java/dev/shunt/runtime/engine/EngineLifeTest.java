package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.Transfer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Engines that come and go in one process, over loopback. */
class EngineLifeTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int SIZE = 4096;

  private static Engine engine() {
    return new RuntimeFactory().builder().set("transports.rdma.enable", false).open();
  }

  @Test
  void aThousandEnginesLeaveNoThreadNoDescriptorAndNoRegistration() throws Exception {
    try (var stays = engine()) {
      var remote = stays.arena().allocate(SIZE, 4096);
      stays.register(remote, Access.REMOTE_READ_WRITE);
      for (int i = 0; i < 20; i++) {
        cycle(stays, remote.address());
      }
      var threads = threads();
      awaitTrue(() -> threads() <= threads, "the first engines are gone");
      int files = files();
      for (int i = 0; i < 1000; i++) {
        cycle(stays, remote.address());
      }
      awaitTrue(() -> threads() <= threads, "threads stay behind");
      awaitTrue(() -> files() <= files, "descriptors stay behind");
      assertEquals(1, stays.status().memory().buffers());
    }
  }

  private static void cycle(Engine stays, long address) throws InterruptedException {
    var comes = engine();
    try (comes) {
      var local = comes.arena().allocate(SIZE, 4096);
      comes.register(local, Access.REMOTE_READ);
      var segment = comes.openSegment(stays.name(), SOON);
      comes.submit(Batch.of(Request.write(local, segment, address))).await(SOON).orThrow();
    }
    assertEquals(0, comes.status().memory().buffers());
  }

  private static int threads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("shunt-"))
            .count();
  }

  private static int files() {
    try (var open = Files.list(Path.of("/proc/self/fd"))) {
      return (int) open.count();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitTrue(BooleanSupplier condition, String what)
      throws InterruptedException {
    var until = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - until < 0, what);
      Thread.sleep(5);
    }
  }

  @Test
  void severalEnginesOfOneProcessMoveBytesAmongThemselves() throws InterruptedException {
    int count = 5;
    var engines = new ArrayList<Engine>();
    try {
      var memories = new ArrayList<java.lang.foreign.MemorySegment>();
      for (int i = 0; i < count; i++) {
        var engine = engine();
        engines.add(engine);
        var memory = engine.arena().allocate((long) count * SIZE, 4096);
        memory.asSlice((long) i * SIZE, SIZE).fill((byte) (i + 1));
        engine.register(memory, Access.REMOTE_READ_WRITE);
        memories.add(memory);
      }
      var transfers = new ArrayList<Transfer>();
      for (int from = 0; from < count; from++) {
        for (int to = 0; to < count; to++) {
          if (from != to) {
            var segment = engines.get(from).openSegment(engines.get(to).name(), SOON);
            var mine = memories.get(from).asSlice((long) from * SIZE, SIZE);
            var place = memories.get(to).address() + (long) from * SIZE;
            transfers.add(engines.get(from).submit(Batch.of(Request.write(mine, segment, place))));
          }
        }
      }
      for (var transfer : transfers) {
        transfer.await(SOON).orThrow();
      }
      for (var memory : memories) {
        assertEquals(-1, memory.mismatch(memories.getFirst()));
      }
    } finally {
      engines.forEach(Engine::close);
    }
  }

  @Test
  void aCallbackMayCloseItsEngine() throws InterruptedException {
    try (var far = engine()) {
      var near = engine();
      var local = near.arena().allocate(SIZE, 4096);
      var remote = far.arena().allocate(SIZE, 4096);
      near.register(local, Access.LOCAL);
      far.register(remote, Access.REMOTE_READ_WRITE);
      var segment = near.openSegment(far.name(), SOON);
      var closed = new CountDownLatch(1);
      var took = new long[1];
      var delivery = new Thread[1];
      near.submit(Batch.of(Request.write(local, segment, remote.address())))
          .done()
          .whenDone(
              _ -> {
                delivery[0] = Thread.currentThread();
                var before = System.nanoTime();
                near.close();
                took[0] = System.nanoTime() - before;
                closed.countDown();
              });
      assertTrue(closed.await(SOON.toSeconds(), TimeUnit.SECONDS), "the close did not return");
      // Waiting for its own thread it would take all of shunt.close-timeout.
      assertTrue(took[0] < TimeUnit.SECONDS.toNanos(5), () -> "the close took ns " + took[0]);
      delivery[0].join(SOON.toMillis());
      assertTrue(!delivery[0].isAlive(), "the delivery goes on");
    }
  }

  @Test
  void whatRunsWhenItsEngineClosesEndsCancelledOrClosed() throws InterruptedException {
    int size = 64 << 20;
    try (var far = engine()) {
      var near = engine();
      var local = near.arena().allocate(size, 4096);
      var remote = far.arena().allocate(size, 4096);
      near.register(local, Access.LOCAL);
      far.register(remote, Access.REMOTE_READ_WRITE);
      var segment = near.openSegment(far.name(), SOON);
      var transfers = new ArrayList<Transfer>();
      for (int i = 0; i < 64; i++) {
        transfers.add(near.submit(Batch.of(Request.write(local, segment, remote.address()))));
      }
      while (transfers.getFirst().transferredBytes() == 0) {
        Thread.onSpinWait();
      }
      near.close();
      int given = 0;
      for (var transfer : transfers) {
        assertTrue(transfer.settled().isDone(), "it has settled");
        for (var outcome : transfer.done().poll().orElseThrow().outcomes()) {
          if (outcome instanceof Outcome.Failed failed) {
            given++;
            var code = failed.failure().code();
            assertTrue(
                List.of(FailureCode.CANCELLED, FailureCode.CLOSED).contains(code), code::name);
          }
        }
      }
      assertTrue(given > 0, "all had completed before the close");
    }
  }
}

package dev.shunt.cli;

import dev.shunt.api.Access;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Operation;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Status;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** Drives a peer with batches, and measures. */
final class Bench {
  private static final long GLANCE_MILLIS = 100;

  private final Engine engine;
  private final Segment peer;
  private final Work work;
  private final Series series = new Series();

  Bench(Engine engine, Segment peer, Work work) {
    this.engine = engine;
    this.peer = peer;
    this.work = work;
  }

  /**
   * What to do.
   *
   * @param operation which way
   * @param block bytes of a request
   * @param batch requests of a batch
   * @param threads that submit
   * @param memory bytes on each side that the requests go round in
   * @param warmUp how long before it counts
   * @param duration how long it counts
   * @param deadline of a batch, which the engine keeps
   * @param verify whether what is written is read back
   */
  record Work(
      Operation operation,
      long block,
      int batch,
      int threads,
      long memory,
      Duration warmUp,
      Duration duration,
      Duration deadline,
      boolean verify) {
    /** How long to wait for the engine to keep it. */
    Duration patience() {
      return deadline.plusSeconds(10);
    }
  }

  /** Does it. */
  BenchReport run(PrintWriter err, boolean terminal) throws InterruptedException {
    long remote = remoteAddress();
    try (var arena = engine.arena()) {
      var memory = Memory.allocate(arena, work.memory(), "--block, --batch or --memory");
      Payload.fill(memory, 1);
      var buffer = engine.register(memory, Access.LOCAL);
      try {
        var workers = workers(memory, remote);
        if (work.verify()) {
          return verified(workers, arena, new Watch(err, terminal));
        }
        return run(workers, new Watch(err, terminal));
      } finally {
        buffer.unregister(work.patience());
      }
    }
  }

  private BenchReport verified(List<BenchWorker> workers, Arena arena, Watch watch)
      throws InterruptedException {
    var back = Memory.allocate(arena, work.memory(), "--block, --batch or --memory");
    var buffer = engine.register(back, Access.LOCAL);
    try {
      long share = share();
      for (int i = 0; i < workers.size(); i++) {
        workers.get(i).verify(back.asSlice(i * share, share));
      }
      return run(workers, watch);
    } finally {
      buffer.unregister(work.patience());
    }
  }

  private long share() {
    return work.memory() / work.threads() / work.block() * work.block();
  }

  private List<BenchWorker> workers(MemorySegment memory, long remote) {
    long share = share();
    var workers = new ArrayList<BenchWorker>();
    for (int i = 0; i < work.threads(); i++) {
      var mine = memory.asSlice(i * share, share);
      workers.add(new BenchWorker(engine, peer, work, mine, remote + i * share));
    }
    return workers;
  }

  private BenchReport run(List<BenchWorker> workers, Watch watch) throws InterruptedException {
    try (var pool = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      var clock = new BenchClock(work.warmUp(), work.duration());
      var running = new ArrayList<Future<?>>();
      for (var worker : workers) {
        running.add(pool.submit(() -> worker.run(clock)));
      }
      try {
        follow(running, workers, clock, watch);
        return report(running, workers, clock);
      } finally {
        clock.stop();
      }
    }
  }

  private long remoteAddress() {
    long largest = 0;
    for (var buffer : peer.buffers()) {
      boolean allowed =
          switch (work.operation()) {
            case WRITE -> buffer.access().writable();
            case READ -> buffer.access().readable();
          };
      if (allowed && buffer.length() >= work.memory()) {
        return buffer.address();
      }
      largest = Math.max(largest, allowed ? buffer.length() : 0);
    }
    if (peer.buffers().isEmpty()) {
      reached();
    }
    throw new ShuntException(FailureCode.REJECTED, tooSmall(largest));
  }

  private String tooSmall(long largest) {
    if (largest == 0) {
      return "no buffer of "
          + peer.name()
          + " allows a "
          + label()
          + "; shunt serve --access says what others may do with it";
    }
    return "the largest buffer of "
        + peer.name()
        + " that allows a "
        + label()
        + " has "
        + Units.bytes(largest)
        + ", and this command wants "
        + Units.bytes(work.memory())
        + "; "
        + fitting(largest)
        + "give that node more --memory";
  }

  /** What of this command would do with no more than that. */
  private String fitting(long largest) {
    long atOnce = (long) work.batch() * work.threads();
    if (work.block() * atOnce <= largest) {
      return "--memory " + largest + "B fits here, or ";
    }
    long block = Long.highestOneBit(largest / atOnce);
    return block == 0 ? "" : "--block " + size(block) + " fits here, or ";
  }

  /** A power of two as an option is written. */
  private static String size(long bytes) {
    return Units.bytes(bytes).replace(" ", "");
  }

  /** A node that no transport reaches shows no buffers either. */
  private void reached() {
    var status = engine.status();
    if (status.peers().stream()
        .noneMatch(p -> p.name().equals(peer.name()) && !p.paths().isEmpty())) {
      throw new ShuntException(
          FailureCode.REJECTED,
          "no common transport reaches "
              + peer.name()
              + "; here run "
              + status.transports().stream().map(Status.TransportStatus::id).toList()
              + "; transports.ID.enable and the rails, on both sides, decide which do");
    }
  }

  private String label() {
    return work.operation().name().toLowerCase(Locale.ROOT);
  }

  private record Watch(PrintWriter err, boolean terminal) {}

  private void follow(
      List<Future<?>> running, List<BenchWorker> workers, BenchClock clock, Watch watch)
      throws InterruptedException {
    var label = label();
    var progress =
        new Progress(watch.err(), watch.terminal(), label, clock.wholeNanos(), clock.start());
    var recently = new RecentRate(clock.start(), Progress.window(watch.terminal()));
    long bytesBefore = 0;
    var rate = "";
    var reused = new Histogram[workers.size()];
    while (!clock.over(System.nanoTime()) && running.stream().noneMatch(Future::isDone)) {
      Thread.sleep(GLANCE_MILLIS);
      long now = System.nanoTime();
      long bytes = workers.stream().mapToLong(BenchWorker::bytesSoFar).sum();
      rate = recently.with(bytes, now);
      series.add(now - clock.start(), bytes - bytesBefore, recent(workers, reused));
      bytesBefore = bytes;
      progress.show(now - clock.start(), rate, now);
    }
    progress.end(System.nanoTime() - clock.start(), rate, System.nanoTime());
  }

  private Histogram recent(List<BenchWorker> workers, Histogram[] reused) {
    var all = new Histogram(3);
    for (int i = 0; i < reused.length; i++) {
      reused[i] = workers.get(i).recent(reused[i]);
      all.add(reused[i]);
    }
    return all;
  }

  private BenchReport report(List<Future<?>> running, List<BenchWorker> workers, BenchClock clock)
      throws InterruptedException {
    var latencies = new Histogram(3);
    long batches = 0;
    long verified = 0;
    long last = clock.measuredFrom();
    var patience = Deadline.in(work.patience(), "shunt.transfer.deadline");
    for (int i = 0; i < running.size(); i++) {
      join(running.get(i), patience);
      latencies.add(workers.get(i).latencies());
      batches += workers.get(i).batches();
      verified += workers.get(i).verified();
      last = Math.max(last, workers.get(i).lastEnd());
    }
    return new BenchReport(
        work,
        peer.name(),
        batches,
        verified,
        last - clock.measuredFrom(),
        latencies,
        series.points(),
        Machine.describe(),
        clock.started(),
        Marks.NONE);
  }

  private static void join(Future<?> worker, Deadline patience) throws InterruptedException {
    try {
      var left = patience.left("the last batch");
      worker.get(left.toNanos(), java.util.concurrent.TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ShuntException shunt) {
        throw shunt;
      }
      if (e.getCause() instanceof OutOfMemoryError memory) {
        throw Memory.heap(memory);
      }
      throw new ShuntException(FailureCode.INTERNAL, "a worker ended: " + e.getCause(), e);
    } catch (java.util.concurrent.TimeoutException _) {
      throw patience.passed("the last batch");
    }
  }
}

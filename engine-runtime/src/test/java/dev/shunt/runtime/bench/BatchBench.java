package dev.shunt.runtime.bench;

import dev.shunt.api.Batch;
import dev.shunt.api.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A batch of one request from submit to done, between two engines over loopback TCP: its latency
 * (percentiles), and with {@code -prof gc} the heap bytes of a batch on all threads. How the caller
 * waits is a part of both.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class BatchBench {
  private static final Duration SOON = Duration.ofSeconds(60);

  /** Which way. */
  @Param({"WRITE", "READ"})
  public Operation operation;

  /** Of the request; slices are as the transport prefers them. */
  @Param({"4096", "1048576", "4194304"})
  public int bytes;

  private Pair pair;
  private Batch batch;

  /**
   * Two engines that know each other. They end with the process: what closing them allocates would
   * be counted with the last iteration.
   */
  @Setup(Level.Trial)
  public void open() throws InterruptedException {
    pair = new Pair(List.of("127.0.0.1"), bytes, 1 << 20);
    batch = pair.batch(operation, bytes);
  }

  /** The caller blocks. */
  @Benchmark
  public Object awaited() throws InterruptedException {
    return pair.submit(batch).await(SOON).orThrow();
  }

  /** The caller looks again and again. */
  @Benchmark
  public Object polled() {
    var transfer = pair.submit(batch);
    while (!transfer.done().isDone()) {
      Thread.onSpinWait();
    }
    return transfer;
  }
}

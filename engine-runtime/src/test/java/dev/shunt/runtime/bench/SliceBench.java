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
 * One request, cut into many slices, between two engines over loopback TCP. With {@code -prof gc}:
 * the heap bytes of one slice are the difference between {@code gc.alloc.rate.norm} of the larger
 * and the smaller request, divided by the difference of their slices; a batch's own bytes fall out
 * of it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class SliceBench {
  private static final Duration SOON = Duration.ofSeconds(60);

  /** Bytes of a slice. */
  @Param({"4096", "65536", "1048576"})
  public int slice;

  /** Of the request: some, and twice as many. */
  @Param({"256", "512"})
  public int slices;

  /** Which way. */
  @Param({"WRITE", "READ"})
  public Operation operation;

  private Pair pair;
  private Batch batch;

  /**
   * Two engines that know each other. They end with the process: what closing them allocates would
   * be counted with the last iteration.
   */
  @Setup(Level.Trial)
  public void open() throws InterruptedException {
    long bytes = (long) slices * slice;
    pair = new Pair(List.of("127.0.0.1"), bytes, slice);
    batch = pair.batch(operation, bytes);
  }

  /** The whole request, to its end. */
  @Benchmark
  public Object request() throws InterruptedException {
    return pair.submit(batch).await(SOON).orThrow();
  }
}

package dev.shunt.runtime.bench;

import dev.shunt.api.Outcome;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.SliceFailure;
import dev.shunt.runtime.transfer.LaneCounters;
import dev.shunt.runtime.transfer.core.BatchSink;
import dev.shunt.runtime.transfer.core.Flow;
import dev.shunt.runtime.transfer.core.FlowLimits;
import dev.shunt.runtime.transfer.core.FlowPort;
import dev.shunt.runtime.transfer.core.Part;
import dev.shunt.runtime.transfer.core.RequestState;
import dev.shunt.runtime.transfer.core.SlicePool;
import dev.shunt.runtime.transfer.core.StaleLink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The flow alone, on channels that complete at once: what cutting, choosing a path, posting and
 * accounting cost for each slice. The bytes are those of the request, spread over its slices.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class FlowBench implements FlowPort, BatchSink, FailoverPolicy {
  private static final int SLICES = 1 << 16;
  private static final long SLICE = 4096;
  private static final long FOREVER = Long.MAX_VALUE / 4;

  private final MemorySegment memory = Arena.ofAuto().allocate(64);
  private final RegionKey[] localKeys = {() -> 1, () -> 2};
  private final long[] remoteKeys = {1, 2};
  private final ArrayDeque<LinkId> asked = new ArrayDeque<>();
  private final QueueChannel[] channels = new QueueChannel[2];
  private Flow flow;
  private long links;
  private long parts;
  private int done;

  /** A flow with both of its channels up. */
  @Setup
  public void open() {
    var limits =
        new FlowLimits(SLICE, SLICE, 1024, 256L << 20, FOREVER, FOREVER, FOREVER, Fencing.ORDERED);
    var places = new int[] {0, 1};
    flow = new Flow("peer", 2, places, limits, this, this, new SlicePool(), new LaneCounters());
    request(2 * SLICE);
    for (int i = 0; i < channels.length; i++) {
      channels[i] = new QueueChannel(asked.remove());
      flow.channelUp(channels[i].id(), channels[i], 0);
    }
    drive();
  }

  private void request(long length) {
    var state = new RequestState(0, true, memory, 0, length, 0, localKeys, remoteKeys, () -> {});
    flow.submit(new Part(this, new RequestState[] {state}, FOREVER, ++parts), 0);
    flow.pump(0);
  }

  private void drive() {
    do {
      for (var channel : channels) {
        channel.completeAll(flow, 0);
      }
    } while (flow.pump(0) > 0);
  }

  /** One request of many slices. */
  @Benchmark
  @OperationsPerInvocation(SLICES)
  public int slice() {
    request(SLICES * SLICE);
    drive();
    return done;
  }

  @Override
  public LinkId connect(int localRail, int remoteRail, long deadline) {
    var link = new LinkId(1, ++links);
    asked.add(link);
    return link;
  }

  @Override
  public void forget(LinkId attempt) {
    throw new IllegalStateException("nothing is given up here");
  }

  @Override
  public void fence(StaleLink stale, long deadline) {
    throw new IllegalStateException("nothing fails here");
  }

  @Override
  public void pathFailed(int localRail, int remoteRail, long link, Fault fault, long now) {
    throw new IllegalStateException("nothing fails here");
  }

  @Override
  public void pathSucceeded(int localRail, int remoteRail, long now) {}

  @Override
  public void refused() {
    throw new IllegalStateException("nothing fails here");
  }

  @Override
  public void remoteIsStale(String text) {
    throw new IllegalStateException("nothing fails here");
  }

  @Override
  public String describe(int localRail, int remoteRail) {
    return "";
  }

  @Override
  public void requestEnded(int index, Outcome outcome) {}

  @Override
  public void progress(long bytes) {}

  @Override
  public void partDone() {
    done++;
  }

  @Override
  public void partSettled(boolean quarantined) {}

  @Override
  public Decision decide(SliceFailure failure) {
    throw new IllegalStateException("nothing fails here");
  }

  @Override
  public PathHealth paths(String transport) {
    throw new IllegalStateException("nothing fails here");
  }
}

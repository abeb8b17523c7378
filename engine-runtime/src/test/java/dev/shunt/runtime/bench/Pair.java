package dev.shunt.runtime.bench;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Operation;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.Transfer;
import dev.shunt.runtime.engine.RuntimeFactory;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/** Two engines in one process, joined by TCP over loopback, each with a buffer of the same size. */
public final class Pair implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(60);

  private final Engine near;
  private final Engine far;
  private final MemorySegment local;
  private final MemorySegment remote;
  private final Segment segment;

  /**
   * Opens both, and brings up the channels between them.
   *
   * @param rails local addresses of each engine
   * @param bytes of each buffer
   * @param sliceSize bytes of a slice
   */
  public Pair(List<String> rails, long bytes, long sliceSize) throws InterruptedException {
    near = engine(rails, sliceSize);
    far = engine(rails, sliceSize);
    local = near.arena().allocate(bytes, 4096);
    remote = far.arena().allocate(bytes, 4096);
    local.fill((byte) 7);
    remote.fill((byte) 5);
    near.register(local, Access.LOCAL);
    far.register(remote, Access.REMOTE_READ_WRITE);
    segment = near.openSegment(far.name(), SOON);
    move(Operation.WRITE, bytes);
  }

  private static Engine engine(List<String> rails, long sliceSize) {
    return new RuntimeFactory()
        .builder()
        .set("control.bind", rails)
        .set("transports.tcp.rails", rails)
        .set("transports.tcp.slice-size", sliceSize + "B")
        .set("transports.rdma.enable", false)
        .open();
  }

  /** A batch of one request over the first bytes of the buffers. */
  public Batch batch(Operation operation, long bytes) {
    return Batch.of(new Request(operation, local.asSlice(0, bytes), segment, remote.address()));
  }

  /** Submits a batch; the caller awaits it. */
  public Transfer submit(Batch batch) {
    return near.submit(batch);
  }

  /** Moves bytes, and waits for the end. */
  public long move(Operation operation, long bytes) throws InterruptedException {
    return submit(batch(operation, bytes)).await(SOON).orThrow().bytes();
  }

  @Override
  public void close() {
    near.close();
    far.close();
  }
}

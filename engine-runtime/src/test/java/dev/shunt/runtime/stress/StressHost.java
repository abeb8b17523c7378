package dev.shunt.runtime.stress;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.Transfer;
import dev.shunt.runtime.transfer.BatchHandle;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;

/** Batches without an engine. */
final class StressHost implements BatchHandle.Host {
  private final Runnable done;

  private StressHost(Runnable done) {
    this.done = done;
  }

  /** A batch of so many requests, of which nobody looks at more than their number. */
  static BatchHandle handle(int requests, Runnable done) {
    var request = Request.read(MemorySegment.NULL, new Nowhere(), 0);
    return new BatchHandle(Batch.of(Collections.nCopies(requests, request)), new StressHost(done));
  }

  @Override
  public Executor delivery() {
    return Runnable::run;
  }

  @Override
  public void batchDone(Batch batch, Transfer.Result result) {
    done.run();
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

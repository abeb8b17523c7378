package dev.shunt.runtime.engine;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.Transfer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;

/** Two engines in one process, one of which writes to the other; both with HTTP for operators. */
final class EngineDuo implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(20);
  static final int SIZE = 1 << 20;

  final Engine a;
  final Engine b;
  final MemorySegment local;
  final MemorySegment remote;
  final Segment segment;

  EngineDuo(Path runtimeDirectory) throws InterruptedException {
    a = engine(runtimeDirectory);
    b = engine(runtimeDirectory);
    local = a.arena().allocate(SIZE, 4096);
    remote = b.arena().allocate(SIZE, 4096);
    a.register(local, Access.LOCAL);
    b.register(remote, Access.REMOTE_READ_WRITE);
    segment = a.openSegment(b.name(), SOON);
  }

  static Engine engine(Path runtimeDirectory) {
    return new RuntimeFactory()
        .builder()
        .set("transports.rdma.enable", false)
        .set("transports.nof.enable", false)
        .set("admin.enable", true)
        .set("admin.runtime-dir", runtimeDirectory.toString())
        .open();
  }

  Transfer.Result write(long bytes) throws InterruptedException {
    var request = Request.write(local.asSlice(0, bytes), segment, remote.address());
    return a.submit(Batch.of(request).within(SOON)).await(SOON);
  }

  Transfer.Result read(long bytes) throws InterruptedException {
    var request = Request.read(local.asSlice(0, bytes), segment, remote.address());
    return a.submit(Batch.of(request).within(SOON)).await(SOON);
  }

  @Override
  public void close() {
    a.close();
    b.close();
  }
}

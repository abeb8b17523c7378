package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.ShuntException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches of many requests, requests of many bytes, and memory that is none for an engine. */
class LargeTest {
  private static final Duration SOON = Duration.ofSeconds(120);

  private Engine near;
  private Engine far;

  @BeforeEach
  void open() {
    near = engine();
    far = engine();
  }

  @AfterEach
  void close() {
    near.close();
    far.close();
  }

  private static Engine engine() {
    return new RuntimeFactory().builder().set("transports.rdma.enable", false).open();
  }

  @Test
  void aBatchOf65536RequestsMovesEachOfThem() throws InterruptedException {
    int count = 65_536;
    int size = 64;
    var source = near.arena().allocate((long) count * size, 4096);
    var back = near.arena().allocate((long) count * size, 4096);
    var remote = far.arena().allocate((long) count * size, 4096);
    for (long at = 0; at < source.byteSize(); at += Long.BYTES) {
      source.set(ValueLayout.JAVA_LONG, at, at * 0x9E3779B97F4A7C15L);
    }
    near.register(source, Access.LOCAL);
    near.register(back, Access.LOCAL);
    far.register(remote, Access.REMOTE_READ_WRITE);
    var segment = near.openSegment(far.name(), SOON);
    var writes = new ArrayList<Request>();
    var reads = new ArrayList<Request>();
    for (int i = 0; i < count; i++) {
      // Each goes to the mirrored place: none may end up where its neighbour belongs.
      long to = remote.address() + (long) (count - 1 - i) * size;
      writes.add(Request.write(source.asSlice((long) i * size, size), segment, to));
      reads.add(Request.read(back.asSlice((long) i * size, size), segment, to));
    }
    for (var requests : List.of(writes, reads)) {
      var result = near.submit(Batch.of(requests).within(SOON)).await(SOON).orThrow();
      assertEquals(count, result.outcomes().size());
      assertEquals((long) count * size, result.bytes());
    }
    assertEquals(-1, source.mismatch(back));
    assertEquals(
        source.get(ValueLayout.JAVA_LONG, 0),
        remote.get(ValueLayout.JAVA_LONG, (long) (count - 1) * size));
  }

  @Test
  void oneRequestMovesMoreThan4GibWholly(@TempDir Path here) throws Exception {
    long length = (4L << 30) + 1;
    long window = 64L << 20;
    var from = Files.createDirectory(here.resolve("from"));
    var to = Files.createDirectory(here.resolve("to"));
    try (var source = new Alias(from, length, window);
        var sink = new Alias(to, length, window)) {
      source.memory().asSlice(0, window).fill((byte) 0x5a);
      source.memory().set(ValueLayout.JAVA_BYTE, length - 1, (byte) 0x77);
      var local = near.register(source.memory(), Access.LOCAL);
      var remote = far.register(sink.memory(), Access.REMOTE_READ_WRITE);
      var segment = near.openSegment(far.name(), SOON);
      var write = Request.write(source.memory(), segment, sink.memory().address());
      var transfer = near.submit(Batch.of(write).within(SOON));
      var result = transfer.await(SOON).orThrow();
      assertEquals(length, result.bytes());
      assertEquals(List.of(new Outcome.Completed(length)), result.outcomes());
      assertEquals(length, transfer.transferredBytes());
      assertEquals((byte) 0x77, sink.memory().get(ValueLayout.JAVA_BYTE, length - 1));
      assertEquals(
          -1, source.memory().asSlice(0, window).mismatch(sink.memory().asSlice(0, window)));
      assertTrue(local.unregister(SOON) && remote.unregister(SOON), "nobody uses it any more");
    }
  }

  @Test
  void memoryOfTheHeapAndOfOneThreadIsRefusedWithTheReason() {
    var heap =
        assertThrows(
            ShuntException.class,
            () -> near.register(MemorySegment.ofArray(new byte[64]), Access.LOCAL));
    assertEquals(FailureCode.REJECTED, heap.code());
    assertTrue(heap.getMessage().contains("on the heap"), heap::getMessage);
    try (var confined = Arena.ofConfined()) {
      var mine = confined.allocate(64);
      var refused =
          assertThrows(ShuntException.class, () -> near.register(mine, Access.REMOTE_READ));
      assertEquals(FailureCode.REJECTED, refused.code());
      assertTrue(refused.getMessage().contains("belongs to one thread"), refused::getMessage);
    }
    assertEquals(0, near.status().memory().buffers());
  }
}

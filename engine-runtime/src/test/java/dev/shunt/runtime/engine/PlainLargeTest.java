package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One request of more bytes than 32 bits can count, to and from a plain peer. */
class PlainLargeTest {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final long LENGTH = (4L << 30) + 1;
  private static final long WINDOW = 64L << 20;

  private static Engine engine(boolean extension) {
    return new RuntimeFactory()
        .builder()
        .set("transports.rdma.enable", false)
        .set("transports.tent.slice-size", "16 MiB")
        .set("control.extension", extension)
        .open();
  }

  @Test
  void oneRequestMovesMoreThan4GibToAPlainPeerAndBack(@TempDir Path here) throws Exception {
    try (var near = engine(true);
        var plain = engine(false);
        var source = new Alias(Files.createDirectory(here.resolve("from")), LENGTH, WINDOW);
        var sink = new Alias(Files.createDirectory(here.resolve("to")), LENGTH, WINDOW)) {
      source.memory().asSlice(0, WINDOW).fill((byte) 0x5a);
      source.memory().set(ValueLayout.JAVA_BYTE, LENGTH - 1, (byte) 0x77);
      var local = near.register(source.memory(), Access.LOCAL);
      var remote = plain.register(sink.memory(), Access.REMOTE_READ_WRITE);
      var segment = near.openSegment(plain.name(), SOON);
      assertEquals(0, segment.generation());
      var write = Request.write(source.memory(), segment, sink.memory().address());
      assertEquals(
          List.of(new Outcome.Completed(LENGTH)),
          near.submit(Batch.of(write).within(SOON)).await(SOON).orThrow().outcomes());
      assertEquals((byte) 0x77, sink.memory().get(ValueLayout.JAVA_BYTE, LENGTH - 1));
      sink.memory().set(ValueLayout.JAVA_BYTE, LENGTH - 1, (byte) 0x78);
      var read = Request.read(source.memory(), segment, sink.memory().address());
      assertEquals(LENGTH, near.submit(Batch.of(read).within(SOON)).await(SOON).orThrow().bytes());
      assertEquals((byte) 0x78, source.memory().get(ValueLayout.JAVA_BYTE, LENGTH - 1));
      assertEquals(
          -1, source.memory().asSlice(0, WINDOW).mismatch(sink.memory().asSlice(0, WINDOW)));
      assertTrue(local.unregister(SOON) && remote.unregister(SOON), "nobody uses it any more");
    }
  }
}

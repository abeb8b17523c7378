package dev.shunt.runtime.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Buffer;
import dev.shunt.api.Engine;
import dev.shunt.runtime.control.core.DataCodec;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.golden.PlainCall;
import dev.shunt.runtime.control.golden.Recording;
import dev.shunt.runtime.control.golden.TentFrame;
import dev.shunt.runtime.descriptor.Descriptor;
import dev.shunt.runtime.descriptor.DescriptorLimits;
import dev.shunt.runtime.descriptor.DescriptorReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A plain peer, by hand, and a whole engine. */
class PlainPeerTest {
  private static final int SIZE = 1 << 20;
  private static final Duration SOON = Duration.ofSeconds(20);

  private static Engine engine(boolean extension, boolean tcp) {
    return new RuntimeFactory()
        .builder()
        .set("transports.tcp.enable", tcp)
        .set("transports.rdma.enable", false)
        .set("transports.nof.enable", false)
        .set("control.extension", extension)
        .open();
  }

  private static MemorySegment memory(Engine engine) {
    var memory = engine.arena().allocate(SIZE, 4096);
    for (int i = 0; i < SIZE; i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) i);
    }
    return memory;
  }

  private static Descriptor read(byte[] text) {
    return DescriptorReader.read("n", text, DescriptorLimits.DEFAULT);
  }

  private static byte[] write(long address, int length) {
    var write = new ByteArrayOutputStream();
    write.writeBytes(DataCodec.head(address, length));
    var payload = new byte[length];
    Arrays.fill(payload, (byte) 0x5a);
    write.writeBytes(payload);
    return write.toByteArray();
  }

  @Test
  void withoutOurKeyTheDescriptorIsByteForByteWhatTentWouldSend() throws Exception {
    var recording = Recording.load("segment-desc");
    try (var engine = engine(false, true);
        var peer = new PlainCall(engine.name())) {
      var memory = memory(engine);
      engine.register(memory, Access.REMOTE_READ_WRITE);
      engine.register(engine.arena().allocate(64), Access.LOCAL);
      var expected =
          new String(recording.texts().get("desc1"), UTF_8)
              .replace("" + recording.base(), "" + memory.address())
              .replace("127.0.0.1:15100", engine.name())
              .replaceFirst("\"machine_id\":\"[^\"]*\"", "\"machine_id\":\"\"");
      assertEquals(expected, new String(peer.call(Functions.GET_SEGMENT_DESC, new byte[0]), UTF_8));
    }
  }

  @Test
  void eachBufferThatOthersMayReachIsToldWithAndWithoutATransport() throws Exception {
    for (boolean tcp : List.of(true, false)) {
      try (var engine = engine(true, tcp);
          var peer = new PlainCall(engine.name())) {
        var memory = memory(engine);
        engine.register(memory.asSlice(0, 100), Access.REMOTE_READ);
        engine.register(memory.asSlice(100, 100), Access.LOCAL);
        engine.register(memory.asSlice(200, 100), Access.REMOTE_WRITE);
        var told = read(peer.call(Functions.GET_SEGMENT_DESC, new byte[0]));
        assertEquals(
            List.of(Access.REMOTE_READ, Access.REMOTE_WRITE),
            told.buffers().stream().map(each -> each.access()).toList());
        for (var buffer : told.buffers()) {
          assertEquals(List.of(7), buffer.tentTransports());
          assertEquals(tcp, buffer.keys().containsKey("tcp"));
        }
        var first = memory.address();
        assertEquals(0, peer.call(Functions.SEND_DATA, write(first + 200, 100)).length);
        assertEquals(0x5a, memory.get(ValueLayout.JAVA_BYTE, 299));
        assertEquals((byte) 300, memory.get(ValueLayout.JAVA_BYTE, 300));
        assertArrayEquals(
            memory.asSlice(0, 100).toArray(ValueLayout.JAVA_BYTE),
            peer.call(Functions.RECV_DATA, DataCodec.head(first, 100)));
        for (var refused :
            List.of(
                peer.call(Functions.SEND_DATA, write(first, 1)),
                peer.call(Functions.SEND_DATA, write(first + 100, 1)),
                peer.call(Functions.RECV_DATA, DataCodec.head(first + 100, 1)),
                peer.call(Functions.RECV_DATA, DataCodec.head(first + 200, 1)))) {
          assertTrue(new String(refused, UTF_8).contains("Data failed: "));
        }
      }
    }
  }

  @Test
  void memoryIsNotGivenBackWhileAPlainPeerWritesIt() throws Exception {
    try (var engine = engine(true, true)) {
      var peer = new PlainCall(engine.name());
      var memory = memory(engine);
      var buffer = engine.register(memory, Access.REMOTE_READ_WRITE);
      var request = write(memory.address(), 1000);
      peer.send(Functions.SEND_DATA, request, 500);
      until(() -> memory.get(ValueLayout.JAVA_BYTE, 400) == 0x5a);
      assertFalse(buffer.unregister(Duration.ofMillis(50)));
      assertEquals(Buffer.State.DRAINING, buffer.state());
      peer.close();
      assertTrue(buffer.unregister(SOON));
    }
  }

  private static void until(java.util.function.BooleanSupplier condition) {
    long end = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "it does not happen");
      Thread.onSpinWait();
    }
  }

  @Test
  void aSubscriberHearsThatABufferWasRegistered() throws Exception {
    try (var engine = engine(true, true);
        var peer = new PlainCall(engine.name());
        var listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var own = "\"127.0.0.1:" + listener.getLocalPort() + "\"";
      assertEquals(0, peer.call(Functions.SUBSCRIBE, own.getBytes(UTF_8)).length);
      engine.register(memory(engine), Access.REMOTE_READ);
      assertEquals("\"" + engine.name() + "\"", heard(listener));
      assertEquals(1, read(peer.call(Functions.GET_SEGMENT_DESC, new byte[0])).buffers().size());
    }
  }

  private static String heard(ServerSocket listener) throws IOException {
    listener.setSoTimeout((int) SOON.toMillis());
    try (var socket = listener.accept()) {
      socket.setSoTimeout((int) SOON.toMillis());
      var head = socket.getInputStream().readNBytes(20);
      var frame = Arrays.copyOf(head, 20 + 8 + head[16]);
      System.arraycopy(
          socket.getInputStream().readNBytes(8 + head[16]), 0, frame, 20, 8 + head[16]);
      var request = TentFrame.split(frame, 20).getFirst();
      assertEquals(Functions.SEGMENT_UPDATED, request.body()[4]);
      return new String(request.attachment(), UTF_8);
    }
  }
}

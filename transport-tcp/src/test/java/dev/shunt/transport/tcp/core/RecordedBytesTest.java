package dev.shunt.transport.tcp.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The wire of version 1 never changes: these bytes were recorded once. */
class RecordedBytesTest {
  private static final HexFormat HEX = HexFormat.of();

  private final FrameBuffer buffer = Duet.buffer(256);

  @Test
  void preamble() {
    var preamble =
        new Preamble(1, 0, 264, 0x0102030405060708L, 0x1112131415161718L, 42, 1, 64L << 20);
    preamble.encode(buffer, 0);
    assertRecorded("preamble", Preamble.LENGTH);
    assertEquals(Optional.of(preamble), Preamble.decode(recorded("preamble"), 0));
  }

  @Test
  void answers() {
    var welcome = new Answer(1, 1, 0, Answer.Status.WELCOME, 64, 0x1112131415161718L, 16L << 20);
    welcome.encode(buffer, 0);
    assertRecorded("answer-welcome", Answer.LENGTH);
    assertEquals(Optional.of(welcome), Answer.decode(recorded("answer-welcome"), 0));

    var stale = Answer.of(Answer.Status.STALE_GENERATION, 0x2122232425262728L);
    stale.encode(buffer, 0);
    assertRecorded("answer-stale-generation", Answer.LENGTH);
    assertEquals(Optional.of(stale), Answer.decode(recorded("answer-stale-generation"), 0));
  }

  @Test
  void frames() {
    frame("write", Frame.WRITE, 0, 1, 0x7f0000001000L, 4096, 7);
    frame("read", Frame.READ, 0, 2, 0x7f0000002000L, 1L << 20, 7);
    frame("fence", Frame.FENCE, 0, 3, 0x0102030405060708L, 41, 0);
    frame("ack", Frame.ACK, 0, 3, 2, 0, 0);
    frame("ack-refused", Frame.ACK, Frame.RANGE, 4, 1, 0, 0);
    frame("data", Frame.DATA, 0, 5, 0, 4096, 0);
    frame("data-refused", Frame.DATA, Frame.KEY, 6, 0, 0, 0);
    frame("bye", Frame.BYE, Bye.NO_PROGRESS.code(), 0, 0, 0, 0);
  }

  @Test
  void statusesHaveTheNumbersThatAreWrittenDown() {
    assertEquals(7, Answer.Status.MALFORMED.code());
    assertEquals(Answer.Status.UNKNOWN, Answer.Status.of(8));
    assertEquals(Answer.Status.UNKNOWN, Answer.Status.of(65535));
    assertEquals(1, Bye.BAD_HEADER.code());
    assertEquals(8, Bye.INTERNAL.code());
    assertEquals(Bye.UNKNOWN, Bye.of(9));
  }

  private void frame(
      String name, int type, int status, long id, long first, long second, long key) {
    buffer.put(0, type, status, id, first, second, key);
    assertRecorded(name, Frame.HEADER);
    var read = recorded(name);
    assertTrue(read.intact(0), name);
    assertEquals(type, read.type(0), name);
    assertEquals(status, read.status(0), name);
    assertEquals(id, read.id(0), name);
    assertEquals(first, read.first(0), name);
    assertEquals(second, read.second(0), name);
    assertEquals(key, read.key(0), name);
  }

  private void assertRecorded(String name, int length) {
    var bytes = buffer.memory().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    assertEquals(text(name), HEX.formatHex(bytes), name);
  }

  private static FrameBuffer recorded(String name) {
    var bytes = HEX.parseHex(text(name));
    var buffer = Duet.buffer(256);
    MemorySegment.copy(bytes, 0, buffer.memory(), ValueLayout.JAVA_BYTE, 0, bytes.length);
    return buffer;
  }

  /** Hexadecimal digits in lines; what follows a # is for readers. */
  private static String text(String name) {
    var path = "/dev/shunt/transport/tcp/v1/" + name + ".hex";
    try (var in = RecordedBytesTest.class.getResourceAsStream(path)) {
      var text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return text.replaceAll("#.*", "").replaceAll("\\s", "");
    } catch (IOException e) {
      throw new AssertionError(path, e);
    }
  }
}

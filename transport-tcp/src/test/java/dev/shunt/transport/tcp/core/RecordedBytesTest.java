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

/** The wire of a version never changes: these bytes were recorded once. */
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

    var stale = new Answer(1, 1, 0, Answer.Status.STALE_GENERATION, 0, 0x2122232425262728L, 0);
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
  void preambleOfVersion2() {
    var preamble =
        new Preamble(
            2,
            Frame.CHECKSUM,
            264,
            0x0102030405060708L,
            0x1112131415161718L,
            42,
            1,
            64L << 20,
            1,
            4,
            10_000);
    preamble.encode(buffer, 0);
    assertRecorded("v2/preamble", Preamble.LENGTH);
    assertEquals(Optional.of(preamble), Preamble.decode(recorded("v2/preamble"), 0));
  }

  @Test
  void answersOfVersion2() {
    var welcome =
        new Answer(2, 1, Frame.CHECKSUM, Answer.Status.WELCOME, 64, 0x1112131415161718L, 16L << 20);
    welcome.encode(buffer, 0);
    assertRecorded("v2/answer-welcome", Answer.LENGTH);
    assertEquals(Optional.of(welcome), Answer.decode(recorded("v2/answer-welcome"), 0));

    var crowded = Answer.of(Answer.Status.CROWDED, 0x1112131415161718L);
    crowded.encode(buffer, 0);
    assertRecorded("v2/answer-crowded", Answer.LENGTH);
    assertEquals(Optional.of(crowded), Answer.decode(recorded("v2/answer-crowded"), 0));
  }

  @Test
  void framesOfVersion2() {
    frame("v2/ack-damaged", Frame.ACK, Frame.DAMAGED, 3, 1, 0, 0);
    frame("v2/ping", Frame.PING, 0, 4, 0, 0, 0);
    frame("v2/ack-ping", Frame.ACK, 0, 4, 1, 0, 0);
    frame("v2/bye-silent", Frame.BYE, Bye.SILENT.code(), 0, 0, 0, 0);
  }

  @Test
  void payloadsWithTheirChecksum() {
    var payload = MemorySegment.ofArray("123456789".getBytes(StandardCharsets.US_ASCII));
    for (int type : new int[] {Frame.WRITE, Frame.DATA}) {
      boolean write = type == Frame.WRITE;
      var out = Duet.buffer(256);
      var writer = new FrameWriter(out, 1 << 20);
      writer.header(type, 0, write ? 1 : 2, write ? 0x7f0000001000L : 0, 9, write ? 7 : 0);
      writer.copy(payload, 0, 9);
      writer.checksumOfCopy(9);
      var bytes = out.memory().asSlice(0, Frame.HEADER + 9).toArray(ValueLayout.JAVA_BYTE);
      var name = write ? "v2/write-checked" : "v2/data-checked";
      assertEquals(text(name), HEX.formatHex(bytes));
      var read = recorded(name);
      assertTrue(read.intact(0));
      assertEquals(Frame.CHECKSUM, read.flags(0));
      assertEquals(new Checksum(new Views()).of(read.memory(), Frame.HEADER, 9), read.checksum(0));
    }
  }

  /** What a node of version 1 sends, it goes on sending to one of version 2, and the answers. */
  @Test
  void aNodeOfVersion1IsServedAsBefore() {
    var admission = new Admission(0x1112131415161718L, 1, 64, 16L << 20);
    var asked = Preamble.decode(recorded("preamble"), 0).orElseThrow();
    assertEquals(1, asked.version());
    assertEquals(1, asked.streams());
    assertEquals(0, asked.keepAlive());
    var answer = admission.decide(asked, false, false, false, 1000);
    assertEquals(Answer.Status.WELCOME, answer.status());
    assertEquals(0, answer.flags());
    var crowded = admission.decide(asked, false, false, false, 0);
    assertEquals(Answer.Status.BUSY, crowded.status(), "version 1 knows no other word");

    var duet = Duet.ofVersion(1);
    var raw = recorded("write");
    raw.put(0, Frame.WRITE, 0, 1, duet.region.memory.address(), 4096, OneRegion.KEY);
    duet.pipe.left.write(raw.memory(), 0, Frame.HEADER);
    duet.pipe.left.write(duet.local, 0, 4096);
    raw.put(0, Frame.PING, 0, 2, 0, 0, 0);
    duet.pipe.left.write(raw.memory(), 0, Frame.HEADER);
    duet.responder.receive(duet.now);
    assertEquals(Bye.BAD_TYPE, duet.responder.end(), "there is no PING in version 1");
    duet.pipe.left.read(buffer.memory(), 0, 2 * Frame.HEADER);
    assertEquals(Frame.ACK, buffer.type(0));
    assertEquals(Frame.BYE, buffer.type(Frame.HEADER));
  }

  @Test
  void toANodeOfVersion1NothingNewIsSent() {
    new Preamble(1, 0, 264, 0x0102030405060708L, 0x1112131415161718L, 42, 1, 64L << 20, 0, 1, 9)
        .encode(buffer, 0);
    assertRecorded("preamble", Preamble.LENGTH);
  }

  @Test
  void statusesHaveTheNumbersThatAreWrittenDown() {
    assertEquals(7, Answer.Status.MALFORMED.code());
    assertEquals(8, Answer.Status.CROWDED.code());
    assertEquals(Answer.Status.UNKNOWN, Answer.Status.of(9));
    assertEquals(Answer.Status.UNKNOWN, Answer.Status.of(65535));
    assertEquals(1, Bye.BAD_HEADER.code());
    assertEquals(8, Bye.INTERNAL.code());
    assertEquals(9, Bye.SILENT.code());
    assertEquals(10, Bye.TOO_MANY.code());
    assertEquals(Bye.UNKNOWN, Bye.of(11));
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
    var path = "/dev/shunt/transport/tcp/" + (name.contains("/") ? "" : "v1/") + name + ".hex";
    try (var in = RecordedBytesTest.class.getResourceAsStream(path)) {
      var text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return text.replaceAll("#.*", "").replaceAll("\\s", "");
    } catch (IOException e) {
      throw new AssertionError(path, e);
    }
  }
}

package dev.shunt.runtime.plain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Delivery;
import dev.shunt.api.Engine;
import dev.shunt.api.Notification;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.core.NotifyCodec;
import dev.shunt.runtime.control.golden.GoldenServer;
import dev.shunt.runtime.control.golden.GoldenServer.Turn;
import dev.shunt.runtime.control.golden.Recording;
import dev.shunt.runtime.control.golden.TentFrame.Form;
import dev.shunt.runtime.engine.RuntimeFactory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whole transfers and notifications against recorded servers: what is sent is what TENT sent, byte
 * for byte, in the form of a release build, and what a server made of it is survived.
 */
class GoldenTransferTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private Engine engine;
  private MemorySegment local;

  @BeforeEach
  void open() {
    engine =
        new RuntimeFactory()
            .builder()
            .set("transports.rdma.enable", false)
            .set("transports.tent.connections", 1)
            .set("transports.tent.depth", 1)
            .set("failover.max-attempts", 4)
            .set("failover.unfenced-grace", "20 ms")
            .set("metadata.type", "moved")
            .metadata(new MovedMetadata())
            .open();
    local = engine.arena().allocate(1 << 20, 4096);
    engine.register(local, Access.LOCAL);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Outcome play(Segment segment, Turn turn) throws InterruptedException {
    var range = ByteBuffer.wrap(turn.attachment()).order(ByteOrder.LITTLE_ENDIAN);
    long address = range.getLong(0);
    long length = range.getLong(8);
    boolean write = turn.function() == Functions.SEND_DATA;
    var memory = local.asSlice(0, length);
    memory.fill((byte) 0x5a);
    if (write) {
      MemorySegment.copy(turn.attachment(), 16, memory, ValueLayout.JAVA_BYTE, 0, (int) length);
    }
    var request =
        write ? Request.write(memory, segment, address) : Request.read(memory, segment, address);
    return engine.submit(Batch.of(request)).await(SOON).outcomes().getFirst();
  }

  private static List<Turn> data(GoldenServer server) {
    return server.turns().stream()
        .filter(
            turn ->
                turn.function() == Functions.SEND_DATA || turn.function() == Functions.RECV_DATA)
        .toList();
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void recordedWritesAndReadsAreSentAndAnsweredTheSame(Form form) throws Exception {
    int played = 0;
    for (var section : Recording.load("write-read").sections()) {
      try (var server = new GoldenServer(section, form).repeating()) {
        if (server.turns().stream().noneMatch(t -> t.function() == Functions.GET_SEGMENT_DESC)) {
          continue;
        }
        var segment = engine.openSegment(server.address(), SOON);
        for (var turn : data(server)) {
          var where = section.title() + ", line " + turn.line();
          assertInstanceOf(Outcome.Completed.class, play(segment, turn), where);
          assertEquals(List.of(), server.complaints(), where);
          if (turn.function() == Functions.RECV_DATA) {
            var answer = turn.answer();
            int length =
                (int) ByteBuffer.wrap(turn.attachment()).order(ByteOrder.LITTLE_ENDIAN).getLong(8);
            assertArrayEquals(
                Arrays.copyOfRange(answer, answer.length - length, answer.length),
                local.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE),
                where);
          }
          played++;
        }
        assertTrue(data(server).stream().noneMatch(server.left()::contains), section.title());
      }
    }
    assertTrue(played >= 4, "only " + played + " were played");
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void recordedNotificationsAreSentTheSame(Form form) throws Exception {
    var section = Recording.load("notified-writes").sections().getFirst();
    try (var server = new GoldenServer(section, form).repeating()) {
      var segment = engine.openSegment(server.address(), SOON);
      for (var turn : server.turns()) {
        if (turn.function() == Functions.NOTIFY) {
          Notification sent = NotifyCodec.read(turn.attachment(), 1 << 20);
          assertInstanceOf(Delivery.Delivered.class, engine.send(segment, sent, SOON).await(SOON));
          assertEquals(List.of(), server.complaints());
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          half a reply head, once            | true
          half a reply head, always          | false
          no answer to a read, once          | true
          half the bytes of a read, once     | true
          a reset after half a head, once    | true
          an error text to a write, once     | true
          an error text to a write, always   | false
          an error text to a read, always    | false
          too few bytes to a read, twice     | true
          error 10 to a write, once          | true
          error 10 to a subscription         | true
          attachments where none belong      | true
          another magic                      | false
          another version and message type   | false
          another sequence                   | true
          three bytes after the result       | true
          no result                          | false
          a result that is none              | false
          closed after each write            | true
          """)
  void aServerThatMisbehavesIsSurvived(String title, boolean completes) throws Exception {
    var section = Recording.load("misbehaving").section(title);
    for (var form : Form.values()) {
      try (var server = new GoldenServer(section, form).repeating()) {
        var segment = engine.openSegment(server.address(), SOON);
        var first = data(server).getFirst();
        var outcome = play(segment, first);
        if (completes) {
          assertInstanceOf(Outcome.Completed.class, outcome, () -> form + ": " + outcome);
          for (var next = next(server); next != null; next = next(server)) {
            var again = play(segment, next);
            assertInstanceOf(Outcome.Completed.class, again, () -> form + ": " + again);
          }
          assertEquals(List.of(), server.complaints());
        } else {
          var failure = assertInstanceOf(Outcome.Error.class, outcome).failure();
          assertNotNull(failure.message());
          assertTrue(failure.attempts().size() > 1, "it was tried more than once");
        }
      }
    }
  }

  private static Turn next(GoldenServer server) {
    var left = server.left();
    return data(server).stream().filter(left::contains).findFirst().orElse(null);
  }
}

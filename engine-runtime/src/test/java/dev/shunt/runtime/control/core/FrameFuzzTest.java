package dev.shunt.runtime.control.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.contract.Allocated;
import dev.shunt.api.sim.Dice;
import dev.shunt.runtime.control.golden.ServedMemory;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Half a million damaged frames: none throws, none costs more than it sent, none holds memory. */
class FrameFuzzTest {
  private static final int REQUESTS = 300_000;
  private static final int REPLIES = 250_000;
  private static final int SIZE = 4096;

  /** Heap bytes for a stream that brings nothing, and for each byte that it brings. */
  private static final long FIXED = 48 << 10;

  private static final long EACH = 24;

  private static final ServerLimits LIMITS =
      new ServerLimits(1 << 20, 4, 1 << 16, 5_000_000_000L, 10_000_000_000L);

  private final ServedMemory memory = new ServedMemory();
  private final MemorySegment block = Arena.ofAuto().allocate(3 * SIZE, SIZE);
  private final MemorySegment input = Arena.ofAuto().allocate(64 << 10);
  private final MemorySegment output = Arena.ofAuto().allocate(1 << 10);

  private boolean failed;
  private long spent;

  private byte[] request(Dice dice, long base, int sequence) {
    return switch ((int) dice.below(6)) {
      case 0 -> frame(sequence, Functions.PROBE, new byte[0]);
      case 1 -> frame(sequence, Functions.NOTIFY, "{\"name\":\"n\",\"msg\":\"m\"}".getBytes(UTF_8));
      case 2 -> frame(sequence, Functions.RECV_DATA, DataCodec.head(base, dice.below(SIZE)));
      case 3 -> frame(sequence, 1 << dice.below(31), new byte[(int) dice.below(50)]);
      default -> {
        int length = (int) dice.below(300);
        var write = new ByteArrayOutputStream();
        write.writeBytes(DataCodec.head(base + dice.below(SIZE - length), length));
        write.writeBytes(new byte[length]);
        yield frame(sequence, Functions.SEND_DATA, write.toByteArray());
      }
    };
  }

  private static byte[] frame(int sequence, int function, byte[] attachment) {
    var frame = new ByteArrayOutputStream();
    frame.writeBytes(Frames.request(sequence, function, attachment.length));
    frame.writeBytes(attachment);
    return frame.toByteArray();
  }

  @Test
  void damagedRequestsAreServedOrRefusedAndNothingElse() {
    long seed = 61;
    var dice = new Dice(seed);
    var buffer = memory.register(block.asSlice(SIZE, SIZE), Access.REMOTE_READ_WRITE);
    var desk = Optional.of(new DataDesk(memory.table(), SIZE, SIZE));
    int broken = 0;
    int answered = 0;
    for (int i = 0; i < REQUESTS; i++) {
      var where = "seed " + seed + ", number " + i;
      var stream = new ByteArrayOutputStream();
      for (int frames = (int) dice.between(1, 3); frames > 0; frames--) {
        stream.writeBytes(request(dice, buffer.address(), frames));
      }
      var damaged = Mutations.of(stream.toByteArray(), dice);
      long pieces = dice.next();
      answered += serve(desk, damaged, pieces);
      broken += failed ? 1 : 0;
      assertTrue(
          costsLittle(damaged, () -> serve(desk, damaged, pieces)),
          where + ": " + spent + " bytes");
      assertEquals(0, buffer.holders(), where);
    }
    for (long i = 0; i < SIZE; i++) {
      assertEquals(0, block.get(ValueLayout.JAVA_BYTE, i));
      assertEquals(0, block.get(ValueLayout.JAVA_BYTE, 2 * SIZE + i));
    }
    assertTrue(broken > REQUESTS / 10 && broken < REQUESTS, where(seed, broken));
    assertTrue(answered > REQUESTS / 10, where(seed, answered));
  }

  private int serve(Optional<DataDesk> desk, byte[] bytes, long pieces) {
    long before = Allocated.bytes();
    var connection = new ServerConnection(LIMITS, desk, new HeapBudget(1 << 30), "a place");
    int answered = feed(connection, bytes, new Dice(pieces));
    connection.ended();
    failed = !connection.failure().isEmpty();
    connection.release();
    spent = Allocated.bytes() - before;
    return answered;
  }

  /**
   * Whether the last turn cost little; if not the same again, now that all code of it is linked.
   */
  private boolean costsLittle(byte[] bytes, Runnable again) {
    long most = FIXED + EACH * bytes.length;
    if (spent > most) {
      again.run();
    }
    return spent <= most;
  }

  private static String where(long seed, int count) {
    return "seed " + seed + ": " + count;
  }

  /** As a stream brings it, in pieces of any size; what is asked gets an answer, which is taken. */
  private int feed(ServerConnection connection, byte[] bytes, Dice dice) {
    int answered = 0;
    int at = 0;
    long wanted;
    MemorySegment.copy(bytes, 0, input, ValueLayout.JAVA_BYTE, 0, bytes.length);
    while (at < bytes.length && (wanted = connection.wants()) > 0) {
      int count = (int) dice.between(1, Math.min(wanted, bytes.length - at));
      if (connection.landing()) {
        MemorySegment.copy(input, at, connection.memory(), connection.offset(), count);
        connection.landed(count, 0);
      } else {
        connection.received(input, at, count, 0);
      }
      at += count;
      var exchange = connection.take();
      if (exchange != null) {
        connection.answer(exchange, new byte[8], 0);
      }
      var outbox = connection.outbox();
      answered += outbox.waiting() > 0 ? 1 : 0;
      while (outbox.waiting() > 0) {
        assertFalse(outbox.lent() && outbox.length() > SIZE);
        connection.sent(outbox.lent() ? outbox.length() : outbox.copy(output), 0);
      }
    }
    return answered;
  }

  @Test
  void damagedRepliesAreTakenOrRefusedAndNothingElse() {
    long seed = 62;
    var dice = new Dice(seed);
    int taken = 0;
    for (int i = 0; i < REPLIES; i++) {
      var stream = new ByteArrayOutputStream();
      if (i % 3 == 0) {
        stream.writeBytes(Frames.error(10, 0, "a text of " + i));
      } else {
        var attachment = new byte[(int) dice.below(200)];
        stream.writeBytes(Frames.reply(0, attachment.length));
        stream.writeBytes(attachment);
      }
      var damaged = Mutations.of(stream.toByteArray(), dice);
      MemorySegment.copy(damaged, 0, input, ValueLayout.JAVA_BYTE, 0, damaged.length);
      long pieces = dice.next();
      taken += take(damaged, pieces) ? 1 : 0;
      assertTrue(costsLittle(damaged, () -> take(damaged, pieces)), where(seed, i) + ": " + spent);
    }
    assertTrue(taken > REPLIES / 20 && taken < REPLIES, where(seed, taken));
  }

  private boolean take(byte[] bytes, long pieces) {
    var dice = new Dice(pieces);
    long before = Allocated.bytes();
    var decoder = new ReplyDecoder(1 << 20);
    int at = 0;
    while (at < bytes.length && decoder.wants() > 0) {
      int count = (int) dice.between(1, Math.min(decoder.wants(), bytes.length - at));
      decoder.accept(input, at, count);
      at += count;
    }
    boolean whole = decoder.complete() && decoder.take().attachment().length >= 0;
    spent = Allocated.bytes() - before;
    return whole;
  }
}

package dev.shunt.runtime.control;

import static dev.shunt.runtime.control.TwoNodes.B;
import static dev.shunt.runtime.control.TwoNodes.SECOND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.runtime.control.core.DataCodec;
import dev.shunt.runtime.control.core.DataDesk;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.golden.ServedMemory;
import dev.shunt.runtime.memory.RegisteredBuffer;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** SendData and RecvData, between registered memory and a virtual network. */
class ServeDataTest {
  private static final int MIB = 1 << 20;

  private final ServedMemory memory = new ServedMemory();
  private final RegisteredBuffer buffer = memory.register(4 * MIB, Access.REMOTE_READ_WRITE);
  private TwoNodes nodes;
  private RawPeer client;

  private void begin(long seed) {
    nodes = new TwoNodes(seed);
    nodes.b.serveData(new DataDesk(memory.table(), 2 * MIB, 3 * MIB));
    PlainFunctions.install(nodes.b, "b", () -> new byte[0], (name, message) -> true, segment -> {});
    client = new RawPeer(nodes.hostA, "raw");
    client.connect("10.0.0.1", "10.0.0.2", TwoNodes.PORT);
  }

  private static byte[] frame(int sequence, int function, byte[] head, byte[] payload) {
    var frame = new ByteArrayOutputStream();
    frame.writeBytes(
        ByteBuffer.allocate(28)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(0x15)
            .putInt(sequence)
            .putInt(0xff74660d)
            .putInt(8)
            .putInt(head.length + payload.length)
            .putInt(0x55a54008)
            .putInt(function)
            .array());
    frame.writeBytes(head);
    frame.writeBytes(payload);
    return frame.toByteArray();
  }

  private byte[] write(int sequence, long offset, byte[] payload) {
    var head = DataCodec.head(buffer.address() + offset, payload.length);
    return frame(sequence, Functions.SEND_DATA, head, payload);
  }

  private byte[] read(int sequence, long offset, long length) {
    var head = DataCodec.head(buffer.address() + offset, length);
    return frame(sequence, Functions.RECV_DATA, head, new byte[0]);
  }

  private static byte[] random(Dice dice, int length) {
    var bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) dice.next();
    }
    return bytes;
  }

  private static String reply(int sequence, int attachment) {
    return HexFormat.of()
        .formatHex(
            ByteBuffer.allocate(20)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x15)
                .putInt(sequence)
                .putInt(4)
                .putInt(attachment)
                .putInt(0x8901cfea)
                .array());
  }

  /** The reply that came, without its head, which is looked at. */
  private byte[] replied(int sequence, int attachment) {
    nodes.world.runUntil(() -> client.received.size() >= 20 + attachment, 20 * SECOND);
    var all = client.taken();
    assertEquals(20 + attachment, all.length, new String(all, UTF_8));
    assertEquals(reply(sequence, attachment), HexFormat.of().formatHex(all, 0, 20));
    return Arrays.copyOfRange(all, 20, all.length);
  }

  private byte[] there(long offset, int length) {
    return buffer.memory().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void bytesOfAnySizeLandAndComeBack() {
    for (long seed = 0; seed < 15; seed++) {
      begin(seed);
      var dice = new Dice(seed);
      int sequence = 0;
      for (int size : List.of(0, 1, 15, 4096, 70_000, (int) dice.below(MIB))) {
        long offset = dice.below(4L * MIB - size + 1);
        var payload = random(dice, size);
        client.send(write(sequence, offset, payload));
        replied(sequence++, 0);
        assertArrayEquals(payload, there(offset, size), "seed " + seed);
        client.send(read(sequence, offset, size));
        assertArrayEquals(payload, replied(sequence++, size), "seed " + seed);
        assertEquals(0, buffer.holders());
      }
    }
  }

  @Test
  void aWriteAboveTheLimitOfOtherMessagesLands() {
    begin(1);
    var payload = random(new Dice(1), 3 * MIB);
    client.send(write(0, MIB, payload));
    replied(0, 0);
    assertArrayEquals(payload, there(MIB, payload.length));
    client.send(read(1, MIB, 2 * MIB));
    assertArrayEquals(Arrays.copyOf(payload, 2 * MIB), replied(1, 2 * MIB));
  }

  @Test
  void whatIsTooMuchIsRefusedInWordsAndTheConnectionLivesOn() {
    begin(2);
    var before = there(0, 4 * MIB);
    client.send(write(0, 0, new byte[3 * MIB + 1]));
    assertTrue(nodes.world.runUntil(() -> client.received.size() > 20, 20 * SECOND));
    nodes.world.run(SECOND);
    assertTrue(text().contains("SendData failed: length exceeds"), text());
    client.taken();
    client.send(read(1, 0, 2 * MIB + 1));
    nodes.world.run(SECOND);
    assertTrue(text().contains("RecvData failed: length exceeds"), text());
    client.taken();
    client.send(read(2, 0, 4));
    assertArrayEquals(Arrays.copyOf(before, 4), replied(2, 4));
    assertArrayEquals(before, there(0, 4 * MIB));
  }

  private String text() {
    return new String(client.received.toByteArray(), UTF_8);
  }

  @Test
  void halfAWriteHoldsItsMemoryUntilTheDeadlineAndNoLonger() {
    begin(3);
    var frame = write(0, 100, random(new Dice(3), 200_000));
    client.send(Arrays.copyOf(frame, 100_000));
    nodes.world.run(SECOND);
    assertEquals(1, buffer.holders());
    assertArrayEquals(Arrays.copyOfRange(frame, 44, 100_000), there(100, 100_000 - 44));
    var gone = buffer.close();
    nodes.world.run(3 * SECOND);
    assertFalse(gone.isDone(), "bytes may still come");
    nodes.world.run(2 * SECOND);
    assertTrue(gone.isDone(), "rpc.progress-timeout");
    assertEquals(0, nodes.b.inboundConnections());
    var rest = there(100_000 - 44 + 100, 100_000);
    client.send(Arrays.copyOfRange(frame, 100_000, frame.length));
    nodes.world.run(SECOND);
    assertArrayEquals(rest, there(100_000 - 44 + 100, 100_000));
  }

  @Test
  void aByteAtATimeDoesNotHoldMemory() {
    begin(4);
    client.send(Arrays.copyOf(write(0, 0, new byte[1000]), 44));
    for (int i = 0; i < 4; i++) {
      nodes.world.run(SECOND);
      assertEquals(1, buffer.holders());
      client.send(new byte[1]);
    }
    nodes.world.run(3 * SECOND / 2);
    assertEquals(0, buffer.holders());
    assertEquals(0, nodes.b.inboundConnections());
  }

  @Test
  void aConnectionThatBreaksInAWriteLetsGoAtOnce() {
    for (boolean ends : List.of(true, false)) {
      begin(5);
      client.send(Arrays.copyOf(write(0, 0, new byte[200_000]), 100_000));
      nodes.world.run(SECOND / 10);
      assertEquals(1, buffer.holders());
      if (ends) {
        client.finish();
      } else {
        client.process.die(Death.KILLED);
      }
      nodes.world.run(SECOND / 10);
      assertEquals(0, buffer.holders());
    }
  }

  @Test
  void aReadThatNobodyTakesIsDroppedAndNothingIsReadBehindIt() {
    begin(6);
    client.reads(false);
    client.send(read(0, 0, 2 * MIB));
    client.send(write(1, 0, new byte[4]));
    nodes.world.run(4 * SECOND);
    assertEquals(1, buffer.holders());
    assertEquals(1, nodes.b.inboundConnections());
    nodes.world.run(2 * SECOND);
    assertEquals(0, buffer.holders(), "rpc.progress-timeout");
    assertEquals(0, nodes.b.inboundConnections());
    assertEquals(1, there(1, 1)[0], "the write behind it was not read");
  }

  @Test
  void aPeerThatVanishesInAReadLeavesNothingHeld() {
    begin(7);
    client.reads(false);
    client.send(read(0, 0, 2 * MIB));
    nodes.world.run(SECOND / 10);
    assertEquals(1, buffer.holders());
    client.process.die(Death.VANISHED);
    nodes.world.run(6 * SECOND);
    assertEquals(0, buffer.holders());
  }

  @Test
  void aReadBringsWhatWasThereBeforeALaterWrite() {
    for (int size : List.of(40_000, MIB)) {
      for (long seed = 0; seed < 10; seed++) {
        begin(seed);
        var before = there(0, size);
        var after = random(new Dice(seed), size);
        client.reads(false);
        for (int i = 0; i < 3; i++) {
          client.send(read(i, 0, size));
        }
        client.send(write(3, 0, after));
        nodes.world.run(SECOND);
        client.reads(true);
        int all = 3 * size + 80;
        nodes.world.runUntil(() -> client.received.size() == all, 10 * SECOND);
        var got = client.taken();
        assertEquals(all, got.length, "seed " + seed);
        for (int i = 0; i < 3; i++) {
          int at = i * (size + 20) + 20;
          assertArrayEquals(before, Arrays.copyOfRange(got, at, at + size), "seed " + seed);
        }
        assertEquals(reply(3, 0), HexFormat.of().formatHex(got, all - 20, all));
        assertArrayEquals(after, there(0, size));
      }
    }
  }

  @Test
  void noByteMovesOutsideABufferOrAgainstItsRights() {
    long seed = 8;
    begin(seed);
    var dice = new Dice(seed);
    var block = Arena.ofAuto().allocate(5 * 4096, 4096);
    var buffers =
        List.of(
            memory.register(block.asSlice(0, 4096), Access.LOCAL),
            memory.register(block.asSlice(4096, 4096), Access.REMOTE_READ),
            memory.register(block.asSlice(8192, 4096), Access.REMOTE_WRITE),
            memory.register(block.asSlice(12288, 4096), Access.REMOTE_READ_WRITE));
    for (int i = 0; i < 3000; i++) {
      ServedMemory.fill(block);
      long from = block.address() - 16 + dice.below(5 * 4096 + 32);
      long length = dice.permille(300) ? dice.below(3) : dice.below(6000);
      boolean writes = dice.permille(500);
      var head = DataCodec.head(from, length);
      var payload = new byte[writes ? (int) length : 0];
      Arrays.fill(payload, (byte) 0xee);
      var request = frame(i, writes ? Functions.SEND_DATA : Functions.RECV_DATA, head, payload);
      client.send(request);
      var wanted = "number " + i + ": " + writes + " " + (from - block.address()) + " +" + length;
      assertTrue(nodes.world.runUntil(() -> whole(client), SECOND), wanted);
      boolean may =
          buffers.stream()
              .anyMatch(
                  each ->
                      from >= each.address()
                          && from + length <= each.address() + each.length()
                          && (writes ? each.access().writable() : each.access().readable()));
      var all = client.taken();
      var got = Arrays.copyOfRange(all, 20, all.length);
      int at = (int) (from - block.address());
      if (!may) {
        assertTrue(new String(got, UTF_8).contains("Data failed: "), wanted);
        assertTrue(writes || got.length != length, wanted);
      } else if (writes) {
        assertEquals(0, got.length, wanted);
      } else {
        assertEquals(length, got.length, wanted);
        for (int b = 0; b < length; b++) {
          assertEquals((byte) (at + b), got[b], wanted);
        }
      }
      for (int b = 0; b < block.byteSize(); b++) {
        boolean changed = may && writes && b >= at && b < at + length;
        assertEquals(changed ? (byte) 0xee : (byte) b, block.get(ValueLayout.JAVA_BYTE, b), wanted);
      }
    }
    buffers.forEach(each -> assertEquals(0, each.holders()));
  }

  private static boolean whole(RawPeer client) {
    var got = client.received.toByteArray();
    return got.length >= 20
        && got.length == 20 + ByteBuffer.wrap(got).order(ByteOrder.LITTLE_ENDIAN).getInt(12);
  }

  @Test
  void memoryThatIsBeingUnregisteredTakesNothingNew() {
    begin(9);
    client.send(Arrays.copyOf(write(0, 0, new byte[1000]), 500));
    nodes.world.run(SECOND / 10);
    var gone = buffer.close();
    var other = nodes.call(B, Functions.RECV_DATA, DataCodec.head(buffer.address(), 8), SECOND);
    assertTrue(nodes.until(other, SECOND));
    assertTrue(other.text().contains("not in registered buffer"), other.text());
    assertFalse(gone.isDone());
    client.send(new byte[500 + 44]);
    replied(0, 0);
    assertTrue(gone.isDone(), "its bytes are there");
  }
}

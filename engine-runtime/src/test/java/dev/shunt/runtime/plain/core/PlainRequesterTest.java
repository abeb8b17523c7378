package dev.shunt.runtime.plain.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.Wire;
import dev.shunt.runtime.descriptor.DescriptorLimits;
import dev.shunt.runtime.descriptor.DescriptorReader;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The asking end of a connection, on a wire that the test holds in its hands. */
class PlainRequesterTest {
  private static final long BASE = 0x7000_0000_0000L;
  private static final String GOOD = "15000000 %s 04000000 %s eacf0189";

  private static final MemorySegment MEMORY = Arena.ofAuto().allocate(1 << 20);

  private final MemorySegment memory = MEMORY;
  private final HandWire wire = new HandWire();
  private final List<String> heard = new ArrayList<>();
  private final List<byte[]> described = new ArrayList<>();
  private final PlainRequester requester =
      new PlainRequester(
          wire,
          "peer",
          new PlainRequester.Parts(staging(), staging(), 256, 4, MemorySegment.NULL),
          new Ear(),
          described::add);

  private static MemorySegment staging() {
    return Arena.ofAuto().allocate(1024);
  }

  private static String number(long value) {
    return HexFormat.of().toHexDigits(Integer.reverseBytes((int) value));
  }

  private void answer(long sequence, byte[] attachment) {
    wire.comes(GOOD.formatted(number(sequence), number(attachment.length)));
    wire.comes(attachment);
    requester.receive();
  }

  /** The descriptor came, and lists so many bytes. */
  private void up(long bytes) {
    requester.describe();
    requester.send();
    wire.out.reset();
    answer(0, new byte[] {'x'});
    assertEquals(1, described.size());
    requester.described(ranges(bytes));
    requester.send();
  }

  private static PeerRanges ranges(long bytes) {
    var buffer = "{\"addr\":" + BASE + ",\"length\":" + bytes + ",\"transports\":[7]}";
    return PeerRanges.of(
        DescriptorReader.read(
            "peer",
            "{\"name\":\"peer\",\"type\":\"memory\",\"rpc_server_addr\":\"p:1\",\"detail\":"
                + "{\"buffers\":["
                + buffer
                + "]}}",
            DescriptorLimits.DEFAULT));
  }

  private Piece write(long at, long length) {
    return new Piece(true, at, length);
  }

  private Piece read(long at, long length) {
    return new Piece(false, at, length);
  }

  private void post(Piece piece) {
    requester.post(piece);
    requester.send();
  }

  @Test
  void nothingIsTakenBeforeTheDescriptorIsThere() {
    assertEquals(0, requester.room());
    up(4096);
    assertEquals(4, requester.room());
  }

  @Test
  void aWriteIsTheBytesThatTentSends() {
    up(4096);
    memory.asSlice(0, 4).copyFrom(MemorySegment.ofArray(new byte[] {1, 2, 3, 4}));
    post(write(16, 4));
    assertEquals(
        "15000000010000000d6674ff0800000014000000"
            + "0840a55503000000"
            + "1000000000700000"
            + "0400000000000000"
            + "01020304",
        HexFormat.of().formatHex(wire.out.toByteArray()));
    answer(1, new byte[0]);
    assertEquals(List.of("completed"), heard);
  }

  @Test
  void aLargeWriteGoesStraightFromItsMemoryAndNothingIsStagedBehindItBefore() {
    up(1 << 20);
    var random = new SplittableRandom(5);
    for (long i = 0; i < memory.byteSize(); i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
    wire.takes = 1000;
    requester.post(write(0, 100_000));
    requester.post(read(0, 10));
    for (int i = 0; i < 200; i++) {
      requester.send();
    }
    var all = wire.out.toByteArray();
    assertEquals(44 + 100_000 + 44, all.length);
    assertEquals(
        -1, MemorySegment.ofArray(all).asSlice(44, 100_000).mismatch(memory.asSlice(0, 100_000)));
  }

  @Test
  void aLargeReadComesInPiecesWhereverTheyAreCut() {
    for (int cut = 1; cut < 60; cut++) {
      var test = new PlainRequesterTest();
      test.up(1 << 20);
      test.post(test.read(0, 5000));
      var data = new byte[5000];
      new SplittableRandom(cut).nextBytes(data);
      var frame = new ByteArrayOutputStream();
      frame.writeBytes(bytes(GOOD.formatted(number(1), number(5000))));
      frame.writeBytes(data);
      var all = frame.toByteArray();
      for (int at = 0; at < all.length; at += cut) {
        test.wire.comes(Arrays.copyOfRange(all, at, Math.min(all.length, at + cut)));
        test.requester.receive();
      }
      assertEquals(List.of("completed"), test.heard, "cut by " + cut);
      assertEquals(-1, test.memory.asSlice(0, 5000).mismatch(MemorySegment.ofArray(data)));
    }
  }

  @Test
  void aRangeThatIsNotDescribedIsAskedForOnceMoreAndNeverSent() {
    up(4096);
    wire.out.reset();
    requester.post(write(4090, 8));
    requester.post(read(5000, 34));
    requester.send();
    assertEquals(28, wire.out.size(), "one descriptor for both");
    answer(1, new byte[] {'y'});
    requester.described(ranges(4096));
    requester.send();
    assertEquals(28, wire.out.size());
    assertEquals(
        List.of("failed REMOTE_RANGE REQUEST NONE", "failed REMOTE_RANGE REQUEST NONE"), heard);
    assertTrue(requester.fault().isEmpty(), "nobody else pays");
    assertEquals(4, requester.room());
  }

  @Test
  void aRangeThatIsThereByNowIsSent() {
    up(4096);
    post(write(4090, 8));
    answer(1, new byte[] {'y'});
    wire.out.reset();
    requester.described(ranges(8192));
    requester.send();
    assertEquals(44 + 8, wire.out.size());
    answer(2, new byte[0]);
    assertEquals(List.of("completed"), heard);
  }

  @Test
  void aReadThatCouldBeARefusalIsHeldUntilTheDescriptorDecides() {
    up(4096);
    var text = "RecvData failed: request too short".getBytes();
    assertEquals(34, text.length);
    post(read(0, 34));
    answer(1, text);
    assertEquals(List.of(), heard);
    answer(2, new byte[] {'y'});
    requester.described(ranges(16));
    assertEquals(List.of("failed REMOTE_RANGE REQUEST NONE"), heard);
  }

  @Test
  void dataThatIsNoTextIsBelievedAtOnce() {
    up(4096);
    post(read(0, 56));
    answer(1, new byte[56]);
    assertEquals(List.of("completed"), heard);
  }

  @Test
  void whatIsAnnouncedWithoutMeasureEndsTheConnectionAndIsNotWaitedFor() {
    for (var head :
        List.of(
            "15000000 01000000 ffffffff ffffffff",
            "15000000 01000000 04000000 ffffffff",
            "15000000 01000000 04000000 01000100",
            "15000000 01000000 80000100 00000000")) {
      var test = new PlainRequesterTest();
      test.up(4096);
      test.post(test.read(0, 100));
      test.wire.comes(head);
      test.requester.receive();
      var fault = test.requester.fault().orElseThrow(() -> new AssertionError(head));
      assertEquals(FailureCode.PROTOCOL, fault.code());
      assertTrue(fault.text().contains("announced"), fault.text());
      test.requester.abandon();
      assertEquals(List.of("failed PROTOCOL REMOTE NONE"), test.heard);
    }
  }

  @Test
  void anAnswerBeforeTheRequestWasSentIsNone() {
    up(1 << 20);
    wire.takes = 500;
    wire.room = 500;
    requester.post(write(0, 100_000));
    requester.send();
    answer(1, new byte[0]);
    assertTrue(requester.fault().orElseThrow().text().contains("not sent to its end"));
    requester.abandon();
    assertEquals(List.of("failed PROTOCOL REMOTE POSSIBLE"), heard);
  }

  @Test
  void anAnswerToAnotherRequestIsNone() {
    up(4096);
    post(read(0, 100));
    answer(7, new byte[100]);
    assertTrue(requester.fault().orElseThrow().text().contains("replied to request 7"));
    assertEquals(List.of(), heard);
  }

  @Test
  void bytesThatNobodyAskedForEndTheConnection() {
    up(4096);
    answer(1, new byte[0]);
    assertTrue(requester.fault().orElseThrow().text().contains("nobody asked"));
  }

  @Test
  void aPeerThatLeavesAnIdleConnectionIsNotBlamed() {
    up(4096);
    wire.ends = true;
    requester.receive();
    assertEquals(Fault.Blame.NEUTRAL, requester.fault().orElseThrow().blame());
  }

  @Test
  void aWriteOfWhichNoByteWentOutHasNoEffect() {
    up(1 << 20);
    wire.room = 44 + 1000;
    wire.takes = 2000;
    requester.post(write(0, 10_000));
    requester.post(write(0, 16));
    requester.send();
    wire.ends = true;
    requester.receive();
    requester.abandon();
    assertEquals(
        List.of("failed CONNECTION REMOTE POSSIBLE", "failed CONNECTION REMOTE NONE"), heard);
    assertFalse(requester.fault().isEmpty());
  }

  @Test
  void damagedAnswersAreSurvivedAndEachSliceEndsOnce() {
    var random = new SplittableRandom(11);
    for (int i = 0; i < 10_000; i++) {
      var test = new PlainRequesterTest();
      test.up(4096);
      test.post(test.read(0, 64));
      test.post(test.write(0, 64));
      var good = new ByteArrayOutputStream();
      good.writeBytes(bytes(GOOD.formatted(number(1), number(64))));
      good.writeBytes(new byte[64]);
      good.writeBytes(bytes(GOOD.formatted(number(2), number(0))));
      var frame = good.toByteArray();
      int damaged = random.nextInt(1, 4);
      for (int j = 0; j < damaged; j++) {
        frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
      }
      test.wire.comes(frame);
      for (int j = 0; j < 4; j++) {
        test.requester.receive();
      }
      test.requester.end(
          new Fault(Fault.Blame.REMOTE, FailureCode.CONNECTION, Fault.Effect.POSSIBLE, "over"));
      test.requester.abandon();
      assertEquals(2, test.heard.size(), "each ends once, seed 11, round " + i);
    }
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  /** A slice. */
  private final class Piece implements Slice {
    private final boolean write;
    private final long at;
    private final long length;

    Piece(boolean write, long at, long length) {
      this.write = write;
      this.at = at;
      this.length = length;
    }

    @Override
    public boolean write() {
      return write;
    }

    @Override
    public MemorySegment memory() {
      return memory;
    }

    @Override
    public long offset() {
      return 0;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public RegionKey localKey() {
      return () -> 1;
    }

    @Override
    public long remoteAddress() {
      return BASE + at;
    }

    @Override
    public long remoteKey() {
      return 0;
    }

    @Override
    public long deadline() {
      return Long.MAX_VALUE;
    }
  }

  /** Writes down what is reported. */
  private final class Ear implements LaneListener {
    @Override
    public void channelUp(ConnectRequest request, Channel channel) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void connectFailed(ConnectRequest request, Fault fault) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void completed(Slice slice) {
      heard.add("completed");
    }

    @Override
    public void failed(Slice slice, Fault fault) {
      heard.add("failed " + fault.code() + " " + fault.blame() + " " + fault.effect());
    }

    @Override
    public void channelDown(Channel channel, Fault fault) {
      throw new UnsupportedOperationException();
    }
  }

  /** Bytes that the test brings, and those that it gets. */
  private static final class HandWire implements Wire {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private byte[] in = new byte[0];
    long takes = Long.MAX_VALUE;
    long room = Long.MAX_VALUE;
    boolean ends;

    void comes(String hex) {
      comes(bytes(hex));
    }

    void comes(byte[] more) {
      int had = in.length;
      in = Arrays.copyOf(in, had + more.length);
      System.arraycopy(more, 0, in, had, more.length);
    }

    @Override
    public long read(MemorySegment into, long offset, long length) {
      int count = (int) Math.min(length, in.length);
      if (count == 0) {
        return ends ? -1 : 0;
      }
      MemorySegment.copy(in, 0, into, ValueLayout.JAVA_BYTE, offset, count);
      in = Arrays.copyOfRange(in, count, in.length);
      return count;
    }

    @Override
    public long write(MemorySegment from, long offset, long length) {
      long count = Math.min(Math.min(length, takes), room);
      out.writeBytes(from.asSlice(offset, count).toArray(ValueLayout.JAVA_BYTE));
      if (room != Long.MAX_VALUE) {
        room -= count;
      }
      return count;
    }

    @Override
    public void interest(boolean read, boolean write) {}

    @Override
    public InetSocketAddress local() {
      throw new UnsupportedOperationException();
    }

    @Override
    public InetSocketAddress remote() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}

    @Override
    public void abort() {}
  }
}

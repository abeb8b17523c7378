package dev.shunt.transport.nof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.Slice;
import dev.shunt.transport.nof.core.NamespaceFacts;
import dev.shunt.transport.nof.core.QueueSetup;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A slice in steady state leaves nothing on the heap, from its post to its report. */
class AllocationTest {
  private static final int ROUNDS = 4000;
  private static final int SLICES = 16;

  private static final class Listener implements LaneListener {
    Channel channel;
    int completed;

    @Override
    public void channelUp(ConnectRequest request, Channel up) {
      channel = up;
    }

    @Override
    public void connectFailed(ConnectRequest request, Fault fault) {
      throw new AssertionError(fault);
    }

    @Override
    public void completed(Slice slice) {
      completed++;
    }

    @Override
    public void failed(Slice slice, Fault fault) {
      throw new AssertionError(fault);
    }

    @Override
    public void channelDown(Channel down, Fault fault) {
      throw new AssertionError(fault);
    }
  }

  private record Piece(boolean write, MemorySegment memory, long offset, long length)
      implements Slice {
    @Override
    public RegionKey localKey() {
      return null;
    }

    @Override
    public long remoteAddress() {
      return offset;
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

  private static NofQueuePlan plan() {
    var anywhere = new InetSocketAddress(0);
    var rail = new NofRail("any", 0, anywhere);
    var request =
        new ConnectRequest(
            new LinkId(1, 1),
            new Remote.Target("t"),
            rail,
            new RemoteRail("p", 0, Map.of()),
            0,
            Long.MAX_VALUE);
    var setup =
        new QueueSetup(
            1,
            64,
            7,
            "nqn.t".getBytes(),
            new QueueSetup.Host(1, 2, "nqn.h".getBytes()),
            0,
            4096,
            false,
            false,
            1_000_000_000,
            1_000_000_000,
            "queue 1");
    var facts = new NamespaceFacts(1, 1 << 20, 512, "");
    return new NofQueuePlan(request, null, setup, facts, 1 << 20, anywhere, anywhere);
  }

  @Test
  void aSliceLeavesNothingOnTheHeap() {
    var listener = new Listener();
    var lane = new NofLane(new EchoWire(), listener);
    lane.connect(plan(), 0);
    for (int i = 0; i < 10 && listener.channel == null; i++) {
      lane.work(i);
    }
    var channel = listener.channel;
    var memory = Arena.ofAuto().allocate(1 << 20);
    var slices = new Slice[SLICES];
    for (int i = 0; i < SLICES; i++) {
      slices[i] = new Piece(i % 2 == 0, memory, i * 32768L, i % 4 == 0 ? 16384 : 512L << i % 3);
    }
    long least = Long.MAX_VALUE;
    long now = 10;
    for (int round = 0; round < ROUNDS && least > 0; round++) {
      long before = Heap.allocated();
      listener.completed = 0;
      for (int i = 0; i < SLICES; i++) {
        channel.post(slices[i], now);
      }
      channel.flush(now);
      for (int i = 0; i < 1000 && listener.completed < SLICES; i++) {
        lane.work(++now);
      }
      least = Math.min(least, Heap.allocated() - before);
      assertEquals(SLICES, listener.completed);
    }
    assertEquals(0, least, "heap bytes of " + SLICES + " slices");
    assertTrue(channel.room() == 63);
  }
}

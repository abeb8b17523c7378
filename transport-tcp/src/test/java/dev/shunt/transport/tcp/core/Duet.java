package dev.shunt.transport.tcp.core;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.spi.LinkId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/** Both ends of a stream on a pipe, stepped by hand. */
final class Duet {
  static final LinkId LINK = new LinkId(5, 9);
  static final int COPY_LIMIT = 256;
  static final long PATIENCE = 1000;
  static final long QUIET = 50_000;

  final Pipe pipe;
  final Reports reports = new Reports();
  final OneRegion region;
  final MemorySegment local;
  final Requester requester;
  final Responder responder;
  final List<LinkId> fences = new ArrayList<>();
  boolean fencesTakeLong;
  long now = 1_000_000;

  Duet(int pipeSize, int memorySize, int depth, Dice dice) {
    this(Arena.ofAuto(), pipeSize, memorySize, limits(depth, memorySize), 1024, dice);
  }

  Duet(
      SegmentAllocator allocator,
      int pipeSize,
      int memorySize,
      StreamLimits limits,
      int staging,
      Dice dice) {
    pipe = new Pipe(pipeSize, allocator, dice);
    region = new OneRegion(allocator, memorySize);
    local = allocator.allocate(memorySize, 8);
    requester =
        new Requester(
            pipe.left,
            new FrameBuffer(allocator.allocate(staging)),
            new FrameBuffer(allocator.allocate(staging)),
            limits,
            new Views(),
            reports);
    responder =
        new Responder(
            pipe.right,
            new FrameBuffer(allocator.allocate(staging)),
            new FrameBuffer(allocator.allocate(staging)),
            limits,
            new Views(),
            LINK,
            region,
            stale -> {
              fences.add(stale);
              return !fencesTakeLong;
            },
            PATIENCE,
            QUIET);
    responder.hold(false, now);
  }

  /** One that speaks an older version, with room for a large frame. */
  static Duet ofVersion(int version) {
    var limits = new StreamLimits(version, 16, 64 << 10, COPY_LIMIT, 0, 1 << 20, false);
    return new Duet(Arena.ofAuto(), 16 << 10, 64 << 10, limits, 1024, null);
  }

  /** One whose payloads are checked, and adjacent requests merged up to a length. */
  static Duet checked(int pipeSize, int memorySize, long mergeLimit, Dice dice) {
    var limits = new StreamLimits(2, 64, memorySize, COPY_LIMIT, mergeLimit, 1 << 20, true);
    return new Duet(Arena.ofAuto(), pipeSize, memorySize, limits, 1024, dice);
  }

  private static StreamLimits limits(int depth, int memorySize) {
    return new StreamLimits(2, depth, memorySize, COPY_LIMIT, 0, 1 << 20, false);
  }

  static FrameBuffer buffer(int size) {
    return new FrameBuffer(Arena.ofAuto().allocate(size));
  }

  Piece write(long localOffset, long remoteOffset, long length) {
    return piece(true, localOffset, remoteOffset, length, OneRegion.KEY);
  }

  Piece read(long localOffset, long remoteOffset, long length) {
    return piece(false, localOffset, remoteOffset, length, OneRegion.KEY);
  }

  Piece piece(boolean write, long localOffset, long remoteOffset, long length, long key) {
    return new Piece(
        write, local, localOffset, length, region.memory.address() + remoteOffset, key);
  }

  Piece post(Piece piece) {
    requester.post(piece);
    return piece;
  }

  /** One step of whichever side can move; answers whether one could. */
  boolean step() {
    boolean moved = false;
    if (pipe.right.readable()) {
      responder.receive(now);
      moved = true;
    }
    if (!responder.ended() && pipe.right.writable()) {
      responder.send(now);
      moved = true;
    }
    if (responder.ended() && !pipe.right.closed) {
      pipe.right.close();
    }
    if (requester.fault().isEmpty() && pipe.left.readable()) {
      requester.receive();
      moved = true;
    }
    if (requester.fault().isEmpty() && pipe.left.writable()) {
      requester.send();
      moved = true;
    }
    return moved;
  }

  void settle() {
    requester.send();
    while (step()) {
      // On until nothing moves.
    }
  }
}

package dev.shunt.transport.tcp.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.Wire;
import java.util.Optional;

/**
 * The end of a stream that sends requests: a ring of slices from the oldest unanswered to the next
 * one that is posted, some of them staged for the wire. Reports answers at once; when something is
 * wrong it only says so ({@link #fault}), touches nothing any more, and reports the rest when it is
 * told to ({@link #abandon}), so that nobody who calls it is called back with the end of the
 * channel.
 */
public final class Requester {
  /** Room for fences on a channel that is full of slices. */
  private static final int FENCES = 8;

  private static final long SENT_AT_A_TIME = 8L << 20;
  private static final int READS_AT_A_TIME = 16;

  private final Wire wire;
  private final FrameReader reader;
  private final FrameWriter writer;
  private final LaneListener listener;
  private final StreamLimits limits;
  private final int slots;
  private final Slice[] slices;
  private final LinkId[] fences;
  private final long[] headerAt;
  private final int mask;

  private long oldest = 1;
  private long unstaged = 1;
  private long next = 1;
  private boolean arriving;
  private long arrived;
  private boolean afterLarge;
  private boolean unfinished;
  private boolean wantsWrite;
  private Fault fault;

  /** A stream whose preamble was welcomed. */
  public Requester(
      Wire wire, FrameBuffer in, FrameBuffer out, StreamLimits limits, LaneListener listener) {
    this.wire = wire;
    this.reader = new FrameReader(in);
    this.writer = new FrameWriter(out);
    this.limits = limits;
    this.listener = listener;
    this.slots = Math.max(1, limits.depth() - FENCES);
    int capacity = Integer.highestOneBit(Math.max(1, limits.depth() - 1)) << 1;
    this.slices = new Slice[capacity];
    this.fences = new LinkId[capacity];
    this.headerAt = new long[capacity];
    this.mask = capacity - 1;
  }

  /** The depth to ask for, so that a channel has room for so many slices. */
  public static int depthFor(int slices) {
    return slices + FENCES;
  }

  /** How many slices it would take. */
  public int room() {
    return fault != null ? 0 : Math.max(0, slots - (int) (next - oldest));
  }

  /** What ended it, if something did. */
  public Optional<Fault> fault() {
    return Optional.ofNullable(fault);
  }

  /** Takes a slice; {@link #send} lets it go. */
  public void post(Slice slice) {
    if (room() == 0) {
      throw new IllegalStateException("posted on a channel that has no room, or is down");
    }
    if (slice.length() > limits.longest()) {
      listener.failed(
          slice,
          new Fault(
              Fault.Blame.REQUEST,
              FailureCode.UNSUPPORTED,
              Fault.Effect.NONE,
              "a slice of "
                  + slice.length()
                  + " bytes; the two nodes agreed on "
                  + limits.longest()
                  + " at most (max-slice)"));
      return;
    }
    slices[(int) next & mask] = slice;
    next++;
  }

  /** Takes a fence; answers whether there was room. */
  public boolean fence(LinkId stale) {
    if (fault != null || next - oldest >= limits.depth()) {
      return false;
    }
    fences[(int) next & mask] = stale;
    next++;
    return true;
  }

  /** Sends what the wire takes, within bounds. */
  public void send() {
    if (fault != null) {
      return;
    }
    long most = writer.written() + SENT_AT_A_TIME;
    unfinished = false;
    do {
      stage();
      if (!writer.drain(wire)) {
        break;
      }
      unfinished = unstaged < next && writer.written() >= most;
    } while (unstaged < next && !unfinished);
    interest();
  }

  /** Takes answers, within bounds; answers how much was done. */
  public int receive() {
    int work = 0;
    for (int reads = 0; fault == null && reads < READS_AT_A_TIME; reads++) {
      long most = wanted();
      long count = read(most);
      if (count < 0) {
        fail(Fault.Blame.REMOTE, FailureCode.CONNECTION, "the remote ended the stream");
        break;
      }
      if (count == 0) {
        break;
      }
      work++;
      answers();
      if (count < most) {
        break;
      }
    }
    return work;
  }

  /** Ends it with a reason: the wire must be closed before the next call. */
  public void end(Fault cause) {
    if (fault == null) {
      fault = cause;
      writer.discard();
    }
  }

  /** Reports all that is unanswered, oldest first. After the end, and once. */
  public void abandon() {
    var none = withEffect(Fault.Effect.NONE);
    var possible = withEffect(Fault.Effect.POSSIBLE);
    for (; oldest < next; oldest++) {
      int slot = (int) oldest & mask;
      var slice = slices[slot];
      slices[slot] = null;
      fences[slot] = null;
      if (slice != null) {
        listener.failed(slice, slice.write() && handedOver(oldest) ? possible : none);
      }
    }
  }

  private Fault withEffect(Fault.Effect effect) {
    return new Fault(fault.blame(), fault.code(), effect, fault.text(), fault.vendorCode());
  }

  /** A remote acts on a header only when it has all of it. */
  private boolean handedOver(long id) {
    return id < unstaged && headerAt[(int) id & mask] + Frame.HEADER <= writer.written();
  }

  private void interest() {
    boolean wants = writer.pending() || unfinished;
    if (wants != wantsWrite) {
      wantsWrite = wants;
      wire.interest(true, wants);
    }
  }

  private void stage() {
    while (unstaged < next && writer.room(Frame.HEADER)) {
      int slot = (int) unstaged & mask;
      var slice = slices[slot];
      headerAt[slot] = writer.staged();
      if (slice == null) {
        var stale = fences[slot];
        writer.header(Frame.FENCE, 0, unstaged, stale.generation(), stale.attempt(), 0);
      } else {
        long length = slice.length();
        boolean gathered = slice.write() && length <= limits.copyLimit();
        if (gathered && !writer.room(Frame.HEADER + length)) {
          return;
        }
        int type = slice.write() ? Frame.WRITE : Frame.READ;
        writer.header(type, 0, unstaged, slice.remoteAddress(), length, slice.remoteKey());
        if (gathered) {
          writer.copy(slice.memory(), slice.offset(), length);
        } else if (slice.write()) {
          writer.attach(slice.memory(), slice.offset(), length, limits.copyLimit());
        }
      }
      unstaged++;
    }
  }

  private long wanted() {
    if (arriving) {
      long left = slices[(int) oldest & mask].length() - arrived;
      return left > limits.copyLimit() ? left : reader.buffer().capacity();
    }
    return afterLarge ? Frame.HEADER : reader.buffer().capacity() - reader.available();
  }

  private long read(long most) {
    if (arriving) {
      var slice = slices[(int) oldest & mask];
      long left = slice.length() - arrived;
      if (left > limits.copyLimit()) {
        long count = wire.read(slice.memory(), slice.offset() + arrived, left);
        arrived += Math.max(0, count);
        return count;
      }
    }
    return reader.fill(wire, most);
  }

  private void answers() {
    while (fault == null) {
      if (arriving) {
        var slice = slices[(int) oldest & mask];
        long left = slice.length() - arrived;
        arrived += reader.take(slice.memory(), slice.offset() + arrived, left);
        if (arrived < slice.length()) {
          return;
        }
        arriving = false;
        afterLarge = slice.length() > limits.copyLimit();
        finish(Frame.OK);
      } else if (reader.hasHeader()) {
        answer();
      } else {
        return;
      }
    }
  }

  private void answer() {
    var in = reader.buffer();
    long at = reader.position();
    reader.skipHeader();
    afterLarge = false;
    if (!in.intact(at) || in.flags(at) != 0) {
      violated("a damaged frame header");
      return;
    }
    switch (in.type(at)) {
      case Frame.ACK -> acknowledged(in.id(at), in.first(at), in.status(at));
      case Frame.DATA -> data(in.id(at), in.second(at), in.status(at));
      case Frame.BYE -> {
        var bye = Bye.of(in.status(at));
        var code = bye == Bye.CLOSING ? FailureCode.CONNECTION : FailureCode.PROTOCOL;
        fail(Fault.Blame.REMOTE, code, "the remote ended the stream: " + bye.text());
      }
      default -> violated("an unknown type of frame, " + in.type(at));
    }
  }

  private void acknowledged(long id, long count, int status) {
    boolean fits = count >= 1 && count <= next - oldest && id == oldest + count - 1 && sent(id);
    if (!fits || (status != Frame.OK && count != 1)) {
      violated("an acknowledgement of " + count + " up to " + id + " while " + span());
      return;
    }
    for (long left = count; left > 0 && fault == null; left--) {
      var slice = slices[(int) oldest & mask];
      if (slice == null && status == Frame.OK) {
        fences[(int) oldest & mask] = null;
        oldest++;
      } else if (slice != null && slice.write()) {
        finish(status);
      } else {
        violated("an acknowledgement of " + oldest + ", which is no write");
      }
    }
  }

  private void data(long id, long length, int status) {
    var slice = id == oldest && oldest < next ? slices[(int) id & mask] : null;
    boolean fits = slice != null && !slice.write() && sent(id);
    if (!fits || length != (status == Frame.OK ? slice.length() : 0)) {
      violated("data of " + length + " bytes for " + id + " while " + span());
    } else if (status == Frame.OK) {
      arriving = true;
      arrived = 0;
    } else {
      finish(status);
    }
  }

  /** Whether all of a request has gone out, so that there can be an answer. */
  private boolean sent(long id) {
    return id < unstaged && !(id == unstaged - 1 && writer.attached());
  }

  private String span() {
    return oldest + " to " + (next - 1) + " are unanswered";
  }

  private void finish(int status) {
    int slot = (int) oldest & mask;
    var slice = slices[slot];
    slices[slot] = null;
    oldest++;
    if (status == Frame.OK) {
      listener.completed(slice);
    } else {
      listener.failed(slice, Refusals.fault(slice, status));
    }
  }

  private void violated(String text) {
    fail(Fault.Blame.REMOTE, FailureCode.PROTOCOL, "the remote sent " + text);
  }

  private void fail(Fault.Blame blame, FailureCode code, String text) {
    end(new Fault(blame, code, Fault.Effect.POSSIBLE, text));
  }
}

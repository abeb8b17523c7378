package dev.shunt.transport.tcp.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.Wire;
import java.util.Optional;

/**
 * The end of a stream that sends requests. Reports answers at once; when something is wrong it only
 * says so ({@link #fault}), touches nothing any more, and reports the rest when it is told to
 * ({@link #abandon}), so that nobody who calls it is called back with the end of the channel.
 */
public final class Requester {
  /** Room for fences on a channel that is full of slices. */
  private static final int FENCES = 8;

  private static final int READS_AT_A_TIME = 16;

  private final Wire wire;
  private final FrameReader reader;
  private final FrameWriter writer;
  private final LaneListener listener;
  private final StreamLimits limits;
  private final int slots;
  private final Requests requests;
  private final Checksum checksum;
  private final Landing landing;

  private boolean arriving;
  private boolean afterLarge;
  private boolean unfinished;
  private boolean wantsWrite;
  private long bytes;
  private long damaged;
  private Fault fault;

  /** A stream whose preamble was welcomed. */
  public Requester(
      Wire wire,
      FrameBuffer in,
      FrameBuffer out,
      StreamLimits limits,
      Views views,
      LaneListener listener) {
    this.wire = wire;
    this.reader = new FrameReader(in);
    this.writer = new FrameWriter(out, limits.turn());
    this.limits = limits;
    this.listener = listener;
    this.slots = Math.max(1, limits.depth() - FENCES);
    this.requests = new Requests(limits.depth(), Math.min(limits.mergeLimit(), limits.longest()));
    this.checksum = new Checksum(views);
    this.landing = new Landing(new Checksum(views));
  }

  /** The depth to ask for, so that a channel has room for so many slices. */
  public static int depthFor(int slices) {
    return slices + FENCES;
  }

  /** How many slices it would take. */
  public int room() {
    return fault != null ? 0 : Math.max(0, slots - (int) requests.size());
  }

  /** Bytes of all slices that it holds. */
  public long bytes() {
    return bytes;
  }

  /** Whether it holds nothing that is unanswered. */
  public boolean idle() {
    return requests.size() == 0;
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
      listener.failed(slice, Refusals.tooLong(slice, limits.longest()));
      return;
    }
    bytes += slice.length();
    requests.add(slice);
  }

  /** Whether there is room for a fence. */
  public boolean roomForFence() {
    return fault == null && requests.size() < limits.depth();
  }

  /** Takes a fence; answers whether there was room. */
  public boolean fence(LinkId stale) {
    if (!roomForFence()) {
      return false;
    }
    requests.add(stale);
    return true;
  }

  /** Asks the remote for an answer; only where version 2 was agreed on, and while it is idle. */
  public void ping() {
    if (fault == null && idle()) {
      requests.addPing();
    }
  }

  /** Sends what the wire takes, within a turn. */
  public void send() {
    if (fault != null) {
      return;
    }
    long most = writer.written() + limits.turn();
    unfinished = false;
    do {
      stage();
      if (!writer.drain(wire)) {
        break;
      }
      unfinished = requests.hasUnstaged() && writer.written() >= most;
    } while (requests.hasUnstaged() && !unfinished);
    interest();
  }

  /** Takes answers, within a turn; answers how much was done. */
  public int receive() {
    int work = 0;
    long room = limits.turn();
    for (int reads = 0; fault == null && room > 0 && reads < READS_AT_A_TIME; reads++) {
      long most = Math.min(wanted(), room);
      long count = straight() ? landing.read(wire, most) : reader.fill(wire, most);
      if (count < 0) {
        fail(Fault.Blame.REMOTE, FailureCode.CONNECTION, "the remote ended the stream");
        break;
      }
      if (count == 0) {
        break;
      }
      work++;
      room -= count;
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
    while (requests.hasFrames()) {
      boolean handedOver = requests.handedOver(writer.written());
      for (int left = requests.oldestCount(); left > 0; left--) {
        abandon(handedOver ? possible : none, none);
      }
      requests.frameDone();
    }
    while (requests.size() > 0) {
      abandon(none, none);
    }
    bytes = 0;
  }

  private void abandon(Fault ofWrite, Fault ofRead) {
    var slice = requests.take();
    if (slice != null) {
      listener.failed(slice, slice.write() ? ofWrite : ofRead);
    }
  }

  private Fault withEffect(Fault.Effect effect) {
    return new Fault(fault.blame(), fault.code(), effect, fault.text(), fault.vendorCode());
  }

  private void interest() {
    boolean wants = writer.pending() || unfinished;
    if (wants != wantsWrite) {
      wantsWrite = wants;
      wire.interest(true, wants);
    }
  }

  private void stage() {
    while (requests.hasUnstaged() && writer.room(Frame.HEADER)) {
      var slice = requests.nextSlice();
      long at = writer.staged();
      long id = requests.nextFrame();
      if (slice == null) {
        var stale = requests.nextFence();
        if (stale == null) {
          writer.header(Frame.PING, 0, id, 0, 0, 0);
        } else {
          writer.header(Frame.FENCE, 0, id, stale.generation(), stale.attempt(), 0);
        }
        requests.staged(1, 0, at);
        continue;
      }
      int run = requests.run();
      long length = requests.bytes(run);
      if (!slice.write()) {
        writer.header(Frame.READ, 0, id, slice.remoteAddress(), length, slice.remoteKey());
      } else if (!stageWrite(slice, id, length)) {
        return;
      }
      requests.staged(run, length, at);
    }
  }

  private boolean stageWrite(Slice slice, long id, long length) {
    boolean gathered = length <= limits.copyLimit();
    if (gathered && !writer.room(Frame.HEADER + length)) {
      return false;
    }
    writer.header(Frame.WRITE, 0, id, slice.remoteAddress(), length, slice.remoteKey());
    if (gathered) {
      writer.copy(slice.memory(), slice.offset(), length);
      if (limits.checksums()) {
        writer.checksumOfCopy(length);
      }
    } else {
      if (limits.checksums()) {
        writer.checksum(checksum.of(slice.memory(), slice.offset(), length));
      }
      writer.attach(slice.memory(), slice.offset(), length, limits.copyLimit());
    }
    return true;
  }

  private boolean straight() {
    return arriving && landing.left() > limits.copyLimit();
  }

  private long wanted() {
    if (arriving) {
      return straight() ? landing.left() : reader.buffer().capacity();
    }
    return afterLarge ? Frame.HEADER : reader.buffer().capacity() - reader.available();
  }

  private void answers() {
    while (fault == null) {
      if (arriving) {
        landing.take(reader);
        if (landing.left() > 0) {
          return;
        }
        arriving = false;
        afterLarge = landing.length() > limits.copyLimit();
        landed();
      } else if (reader.hasHeader()) {
        answer();
      } else {
        return;
      }
    }
  }

  private void landed() {
    boolean intact = landing.intact();
    landing.end();
    finish(intact ? Frame.OK : Frame.DAMAGED);
  }

  private void answer() {
    var in = reader.buffer();
    long at = reader.position();
    reader.skipHeader();
    afterLarge = false;
    boolean checked = in.flags(at) == Frame.CHECKSUM;
    boolean fits = checked ? in.type(at) == Frame.DATA && limits.checksums() : in.flags(at) == 0;
    if (!in.intact(at) || !fits) {
      violated("a damaged frame header");
      return;
    }
    switch (in.type(at)) {
      case Frame.ACK -> acknowledged(in.id(at), in.first(at), in.status(at));
      case Frame.DATA -> data(at, checked);
      case Frame.BYE -> {
        var bye = Bye.of(in.status(at));
        boolean fair = bye == Bye.CLOSING || bye == Bye.SILENT;
        var code = fair ? FailureCode.CONNECTION : FailureCode.PROTOCOL;
        fail(Fault.Blame.REMOTE, code, "the remote ended the stream: " + bye.text());
      }
      default -> violated("an unknown type of frame, " + in.type(at));
    }
  }

  private void acknowledged(long id, long count, int status) {
    long oldest = requests.oldestFrame();
    boolean fits = count >= 1 && id - oldest >= 0 && id == oldest + count - 1 && sent(id);
    boolean known = status != Frame.DAMAGED || limits.checksums();
    if (!fits || !known || (status != Frame.OK && count != 1)) {
      violated("an acknowledgement of " + count + " up to " + id + " while " + requests);
      return;
    }
    for (long left = count; left > 0 && fault == null; left--) {
      var slice = requests.first();
      if (slice == null && status == Frame.OK) {
        requests.take();
        requests.frameDone();
      } else if (slice != null && slice.write()) {
        finish(status);
      } else {
        violated("an acknowledgement of " + requests.oldestFrame() + ", which is no write");
      }
    }
  }

  private void data(long at, boolean checked) {
    var in = reader.buffer();
    long length = in.second(at);
    int status = in.status(at);
    var slice =
        in.id(at) == requests.oldestFrame() && requests.hasFrames() ? requests.first() : null;
    boolean fits = slice != null && !slice.write() && sent(in.id(at)) && status != Frame.DAMAGED;
    if (!fits || length != (status == Frame.OK ? requests.oldestLength() : 0)) {
      violated("data of " + length + " bytes for " + in.id(at) + " while " + requests);
    } else if (status != Frame.OK) {
      finish(status);
    } else if (checked != limits.checksums()) {
      violated("data without the checksum that was agreed on");
    } else {
      landing.begin(slice.memory(), slice.offset(), length, checked, in.checksum(at));
      arriving = true;
    }
  }

  /** Whether all of a frame has gone out, so that there can be an answer. */
  private boolean sent(long id) {
    long next = requests.nextFrame();
    return id < next && !(id == next - 1 && writer.attached());
  }

  /**
   * The oldest frame is answered. A refusal of several slices together says nothing of each: they
   * are asked for once more, one by one.
   */
  private void finish(int status) {
    int count = requests.oldestCount();
    requests.frameDone();
    boolean split = count > 1 && status != Frame.OK && status != Frame.DAMAGED;
    if (status == Frame.DAMAGED) {
      damaged++;
    }
    for (int left = count; left > 0; left--) {
      var slice = requests.take();
      if (split) {
        requests.again(slice);
        continue;
      }
      bytes -= slice.length();
      switch (status) {
        case Frame.OK -> listener.completed(slice);
        case Frame.DAMAGED ->
            listener.failed(slice, Refusals.damaged(slice, where(slice), damaged));
        default -> listener.failed(slice, Refusals.fault(slice, status));
      }
    }
    if (split) {
      unfinished = true;
      interest();
    }
  }

  private String where(Slice slice) {
    return slice.write() ? "the remote found that its checksum is wrong" : landing.damage();
  }

  private void violated(String text) {
    fail(Fault.Blame.REMOTE, FailureCode.PROTOCOL, "the remote sent " + text);
  }

  private void fail(Fault.Blame blame, FailureCode code, String text) {
    end(new Fault(blame, code, Fault.Effect.POSSIBLE, text));
  }
}

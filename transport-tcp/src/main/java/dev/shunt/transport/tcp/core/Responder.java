package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Wire;

/**
 * The end of a stream that serves requests, one after the other: it holds no queue. Payload goes
 * straight into registered memory, and out of it, under a lease.
 */
public final class Responder {
  private static final long SENT_AT_A_TIME = 8L << 20;
  private static final int READS_AT_A_TIME = 16;

  /** Room for all that a request may have to put besides a payload: what was held back, and two. */
  private static final int ANSWERS = 3 * Frame.HEADER;

  private final Wire wire;
  private final FrameReader reader;
  private final FrameWriter writer;
  private final StreamLimits limits;
  private final LinkId self;
  private final Regions regions;
  private final Fencer fencer;
  private final long patience;
  private final Lease lease = new Lease();

  private State state = State.HEADER;
  private long id;
  private long left;
  private long done;
  private int refused;
  private long applied;
  private long unacknowledged;
  private boolean afterLarge;
  private boolean unfinished;
  private boolean held;
  private boolean wantsRead = true;
  private boolean wantsWrite;
  private long progress;
  private long written;
  private Bye end = Bye.NONE;

  private enum State {
    HEADER,
    PAYLOAD,
    SKIP,
    REPLY,
    FENCE,
    ENDED
  }

  /**
   * A stream whose preamble was welcomed.
   *
   * @param self the link
   * @param patience for how many nanoseconds a begun request, or an answer, may make no progress
   */
  public Responder(
      Wire wire,
      FrameBuffer in,
      FrameBuffer out,
      StreamLimits limits,
      LinkId self,
      Regions regions,
      Fencer fencer,
      long patience) {
    this.wire = wire;
    this.reader = new FrameReader(in);
    this.writer = new FrameWriter(out);
    this.limits = limits;
    this.self = self;
    this.regions = regions;
    this.fencer = fencer;
    this.patience = patience;
  }

  /** Whether it is over: the wire is to be closed. */
  public boolean ended() {
    return state == State.ENDED;
  }

  /** Why this side ended it; NONE if the other side did. */
  public Bye end() {
    return end;
  }

  /** When it is given up unless something moves; {@link Long#MAX_VALUE} for never. */
  public long deadline() {
    boolean waits =
        state == State.HEADER ? reader.available() > 0 || writer.pending() : state != State.ENDED;
    return waits && !held ? progress + patience : Long.MAX_VALUE;
  }

  /** Takes and serves requests, within bounds; answers how much was done. */
  public int receive(long now) {
    if (held) {
      return 0;
    }
    int work = 0;
    serve(now);
    for (int reads = 0; reading() && reads < READS_AT_A_TIME; reads++) {
      long most = wanted();
      long count = read(most);
      if (count < 0) {
        close();
        return work + 1;
      }
      if (count == 0) {
        break;
      }
      work++;
      progress = now;
      serve(now);
      if (count < most) {
        break;
      }
    }
    flush(now);
    return work;
  }

  /** Sends what the wire takes, and goes on. */
  public void send(long now) {
    if (state != State.ENDED) {
      if (!held) {
        serve(now);
      }
      flush(now);
    }
  }

  /** The fence that it waited for is done. Does nothing if it does not wait any more. */
  public void fenced(long now) {
    if (state == State.FENCE) {
      progress = now;
      applied(id);
      state = State.HEADER;
      receive(now);
    }
  }

  /** For tests: stops reading, or goes on. */
  public void hold(boolean hold, long now) {
    held = hold;
    progress = now;
    if (state != State.ENDED) {
      interest();
      receive(now);
    }
  }

  /** Drops it at once: nothing of it changes memory any more. The wire is to be closed. */
  public void close() {
    state = State.ENDED;
    writer.discard();
    lease.release();
  }

  /** Ends it with a last word, if there is room for one. The wire is to be closed. */
  public void end(Bye reason) {
    if (state == State.ENDED) {
      return;
    }
    end = reason;
    if (writer.room(ANSWERS)) {
      acknowledge();
      writer.header(Frame.BYE, reason.code(), 0, 0, 0, 0);
      writer.drain(wire);
    }
    close();
  }

  private boolean reading() {
    return switch (state) {
      case HEADER -> !unfinished && writer.room(ANSWERS + limits.copyLimit());
      case PAYLOAD, SKIP -> true;
      case REPLY, FENCE, ENDED -> false;
    };
  }

  private long wanted() {
    if (state == State.PAYLOAD && left > limits.copyLimit()) {
      return left;
    }
    boolean header = state == State.HEADER && afterLarge && reader.available() == 0;
    return header ? Frame.HEADER : reader.buffer().capacity() - reader.available();
  }

  private long read(long most) {
    if (state == State.PAYLOAD && left > limits.copyLimit()) {
      long count = wire.read(lease.memory(), lease.offset() + done, left);
      done += Math.max(0, count);
      left -= Math.max(0, count);
      return count;
    }
    return reader.fill(wire, most);
  }

  /**
   * What stops for want of room goes on with the next event, also where the last flush found room.
   */
  private void serve(long now) {
    long most = writer.written() + SENT_AT_A_TIME;
    unfinished = false;
    while (true) {
      switch (state) {
        case HEADER -> {
          if (!reader.hasHeader()) {
            return;
          }
          if (writer.written() > most) {
            unfinished = true;
            return;
          }
          if (!writer.room(ANSWERS + limits.copyLimit()) && !writer.drain(wire)) {
            unfinished = true;
            return;
          }
          request(now);
        }
        case PAYLOAD -> {
          long count = reader.take(lease.memory(), lease.offset() + done, left);
          done += count;
          left -= count;
          if (left > 0) {
            return;
          }
          lease.release();
          afterLarge = done > limits.copyLimit();
          applied(id);
          state = State.HEADER;
        }
        case SKIP -> {
          left -= reader.drop(left);
          if (left > 0) {
            return;
          }
          refuse(Frame.ACK);
        }
        case REPLY -> {
          if (!writer.drain(wire)) {
            unfinished = true;
            return;
          }
          lease.release();
          state = State.HEADER;
        }
        case FENCE, ENDED -> {
          return;
        }
      }
    }
  }

  private void request(long now) {
    var in = reader.buffer();
    long at = reader.position();
    reader.skipHeader();
    afterLarge = false;
    progress = now;
    if (!in.intact(at) || in.flags(at) != 0) {
      end(Bye.BAD_HEADER);
      return;
    }
    if (in.id(at) != id + 1) {
      end(Bye.OUT_OF_ORDER);
      return;
    }
    id++;
    long first = in.first(at);
    long second = in.second(at);
    switch (in.type(at)) {
      case Frame.WRITE -> write(first, second, in.key(at));
      case Frame.READ -> read(first, second, in.key(at));
      case Frame.FENCE -> fence(new LinkId(first, second));
      default -> end(Bye.BAD_TYPE);
    }
  }

  private void write(long address, long length, long key) {
    if (Long.compareUnsigned(length, limits.longest()) > 0) {
      end(Bye.BAD_LENGTH);
      return;
    }
    left = length;
    done = 0;
    var refusal = acquire(address, length, key, true);
    refused = Refusals.status(refusal);
    state = refusal == Regions.Refusal.NONE ? State.PAYLOAD : State.SKIP;
  }

  private void read(long address, long length, long key) {
    if (Long.compareUnsigned(length, limits.longest()) > 0) {
      end(Bye.BAD_LENGTH);
      return;
    }
    var refusal = acquire(address, length, key, false);
    if (refusal != Regions.Refusal.NONE) {
      refused = Refusals.status(refusal);
      refuse(Frame.DATA);
      return;
    }
    acknowledge();
    writer.header(Frame.DATA, Frame.OK, id, 0, length, 0);
    if (length > limits.copyLimit()) {
      writer.attach(lease.memory(), lease.offset(), length, limits.copyLimit());
      state = State.REPLY;
    } else {
      writer.copy(lease.memory(), lease.offset(), length);
      lease.release();
    }
  }

  /** On this wire every request carries a key; to show none opens nothing. */
  private Regions.Refusal acquire(long address, long length, long key, boolean write) {
    return key == 0 ? Regions.Refusal.KEY : regions.acquire(address, length, key, write, lease);
  }

  private void fence(LinkId stale) {
    if (stale.generation() != self.generation() || stale.equals(self)) {
      end(Bye.BAD_FENCE);
      return;
    }
    state = State.FENCE;
    if (fencer.fence(stale) && state == State.FENCE) {
      applied(id);
      state = State.HEADER;
    }
  }

  /** Holds acknowledgements back until something else, or nothing, is to be sent. */
  private void applied(long id) {
    applied = id;
    unacknowledged++;
  }

  private void acknowledge() {
    if (unacknowledged > 0) {
      writer.header(Frame.ACK, Frame.OK, applied, unacknowledged, 0, 0);
      unacknowledged = 0;
    }
  }

  private void refuse(int type) {
    acknowledge();
    writer.header(type, refused, id, type == Frame.ACK ? 1 : 0, 0, 0);
    state = State.HEADER;
  }

  private void flush(long now) {
    if (state == State.ENDED) {
      return;
    }
    if (!writer.attached()) {
      acknowledge();
    }
    if (!unfinished || held) {
      writer.drain(wire);
    }
    if (writer.written() != written) {
      written = writer.written();
      progress = now;
    }
    interest();
  }

  private void interest() {
    boolean read = reading() && !held;
    boolean write = writer.pending() || unfinished && !held;
    if (read != wantsRead || write != wantsWrite) {
      wantsRead = read;
      wantsWrite = write;
      wire.interest(read, write);
    }
  }
}

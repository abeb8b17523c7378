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
  private static final int READS_AT_A_TIME = 16;

  private final Wire wire;
  private final FrameReader reader;
  private final Replies replies;
  private final StreamLimits limits;
  private final LinkId self;
  private final Regions regions;
  private final Fencer fencer;
  private final long patience;
  private final long quiet;
  private final Lease lease = new Lease();
  private final Landing landing;

  private State state = State.HEADER;
  private long id;
  private long skipped;
  private int refused;
  private boolean afterLarge;
  private boolean unfinished;
  private boolean held;
  private boolean wantsRead = true;
  private boolean wantsWrite;
  private long progress;
  private long heard;
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
   * @param quiet for how many nanoseconds nothing may be heard of an idle requester; 0 for ever
   */
  public Responder(
      Wire wire,
      FrameBuffer in,
      FrameBuffer out,
      StreamLimits limits,
      Views views,
      LinkId self,
      Regions regions,
      Fencer fencer,
      long patience,
      long quiet) {
    this.wire = wire;
    this.reader = new FrameReader(in);
    this.replies = new Replies(wire, out, limits, views);
    this.limits = limits;
    this.self = self;
    this.regions = regions;
    this.fencer = fencer;
    this.patience = patience;
    this.quiet = quiet;
    this.landing = new Landing(new Checksum(views));
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
    if (held || state == State.ENDED) {
      return Long.MAX_VALUE;
    }
    if (idle()) {
      return quiet == 0 ? Long.MAX_VALUE : heard + quiet;
    }
    return progress + patience;
  }

  /** Its deadline has passed. */
  public Bye overdue() {
    return idle() ? Bye.SILENT : Bye.NO_PROGRESS;
  }

  private boolean idle() {
    return state == State.HEADER && reader.available() == 0 && !replies.pending();
  }

  /** Takes and serves requests, within bounds; answers how much was done. */
  public int receive(long now) {
    if (held) {
      return 0;
    }
    int work = 0;
    long room = limits.turn();
    serve(now);
    for (int reads = 0; reading() && room > 0 && reads < READS_AT_A_TIME; reads++) {
      long most = Math.min(wanted(), room);
      long count = straight() ? landing.read(wire, most) : reader.fill(wire, most);
      if (count < 0) {
        close();
        return work + 1;
      }
      if (count == 0) {
        break;
      }
      work++;
      room -= count;
      progress = now;
      heard = now;
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
      replies.applied(id);
      state = State.HEADER;
      receive(now);
    }
  }

  /** For tests: stops reading, or goes on. */
  public void hold(boolean hold, long now) {
    held = hold;
    progress = now;
    heard = now;
    if (state != State.ENDED) {
      interest();
      receive(now);
    }
  }

  /** Drops it at once: nothing of it changes memory any more. The wire is to be closed. */
  public void close() {
    state = State.ENDED;
    replies.discard();
    landing.end();
    lease.release();
  }

  /** Ends it with a last word, if there is room for one. The wire is to be closed. */
  public void end(Bye reason) {
    if (state == State.ENDED) {
      return;
    }
    end = reason;
    replies.bye(reason);
    close();
  }

  private boolean reading() {
    return switch (state) {
      case HEADER -> !unfinished && replies.room();
      case PAYLOAD, SKIP -> true;
      case REPLY, FENCE, ENDED -> false;
    };
  }

  private boolean straight() {
    return state == State.PAYLOAD && landing.left() > limits.copyLimit();
  }

  private long wanted() {
    if (straight()) {
      return landing.left();
    }
    boolean header = state == State.HEADER && afterLarge && reader.available() == 0;
    return header ? Frame.HEADER : reader.buffer().capacity() - reader.available();
  }

  /**
   * What stops for want of room goes on with the next event, also where the last flush found room.
   */
  private void serve(long now) {
    long most = replies.written() + limits.turn();
    unfinished = false;
    while (true) {
      switch (state) {
        case HEADER -> {
          if (!reader.hasHeader()) {
            return;
          }
          if (replies.written() > most) {
            unfinished = true;
            return;
          }
          if (!replies.room() && !replies.drain()) {
            unfinished = true;
            return;
          }
          request(now);
        }
        case PAYLOAD -> {
          landing.take(reader);
          if (landing.left() > 0) {
            return;
          }
          landed();
        }
        case SKIP -> {
          skipped -= reader.drop(skipped);
          if (skipped > 0) {
            return;
          }
          refuse(Frame.ACK);
        }
        case REPLY -> {
          if (!replies.drain()) {
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
    int type = in.type(at);
    boolean checked = limits.checksums() && type == Frame.WRITE;
    if (!in.intact(at) || in.flags(at) != (checked ? Frame.CHECKSUM : 0)) {
      end(Bye.BAD_HEADER);
      return;
    }
    if (in.id(at) != id + 1) {
      end(Bye.OUT_OF_ORDER);
      return;
    }
    if (replies.full()) {
      end(Bye.TOO_MANY);
      return;
    }
    id++;
    long first = in.first(at);
    long second = in.second(at);
    switch (type) {
      case Frame.WRITE -> write(first, second, in.key(at), checked, in.checksum(at));
      case Frame.READ -> read(first, second, in.key(at));
      case Frame.FENCE -> fence(new LinkId(first, second));
      case Frame.PING -> ping();
      default -> end(Bye.BAD_TYPE);
    }
  }

  private void write(long address, long length, long key, boolean checked, int expected) {
    if (Long.compareUnsigned(length, limits.longest()) > 0) {
      end(Bye.BAD_LENGTH);
      return;
    }
    var refusal = acquire(address, length, key, true);
    if (refusal == Regions.Refusal.NONE) {
      landing.begin(lease.memory(), lease.offset(), length, checked, expected);
      state = State.PAYLOAD;
    } else {
      refused = Refusals.status(refusal);
      skipped = length;
      state = State.SKIP;
    }
  }

  /** All of a write is in its place; whether it is what was sent, its checksum tells. */
  private void landed() {
    boolean intact = landing.intact();
    landing.end();
    lease.release();
    afterLarge = landing.length() > limits.copyLimit();
    state = State.HEADER;
    if (intact) {
      replies.applied(id);
    } else {
      refused = Frame.DAMAGED;
      refuse(Frame.ACK);
    }
  }

  private void ping() {
    if (limits.version() < 2) {
      end(Bye.BAD_TYPE);
    } else {
      replies.applied(id);
    }
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
    if (replies.data(id, lease, length)) {
      lease.release();
    } else {
      state = State.REPLY;
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
      replies.applied(id);
      state = State.HEADER;
    }
  }

  private void refuse(int type) {
    replies.refuse(type, refused, id);
    state = State.HEADER;
  }

  private void flush(long now) {
    if (state == State.ENDED) {
      return;
    }
    if (!replies.attached()) {
      replies.acknowledge();
    }
    if (!unfinished || held) {
      replies.drain();
    }
    if (replies.written() != written) {
      written = replies.written();
      progress = now;
    }
    interest();
  }

  private void interest() {
    boolean read = reading() && !held;
    boolean write = replies.pending() || unfinished && !held;
    if (read != wantsRead || write != wantsWrite) {
      wantsRead = read;
      wantsWrite = write;
      wire.interest(read, write);
    }
  }
}

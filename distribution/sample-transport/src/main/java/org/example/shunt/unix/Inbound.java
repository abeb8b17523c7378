package org.example.shunt.unix;

import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Regions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A peer's connection, as it is served. What it sends is unchecked input. */
final class Inbound implements Stream.Handler {
  /** Requests that are served in one turn. */
  private static final int TURN = 32;

  private enum State {
    HELLO,
    WELCOME,
    REQUEST,
    PAYLOAD,
    ANSWER,
    REPLY,
    FAREWELL
  }

  private final UnixLane lane;
  private final Stream stream;
  private final int rail;
  private final ByteBuffer in = Frames.buffer();
  private final ByteBuffer out = Frames.buffer();
  private final Lease lease = new Lease();
  private State state = State.HELLO;
  private LinkId link;
  private boolean write;
  private long length;
  private long at;
  private int status;
  private long progress;
  private boolean ended;

  Inbound(UnixLane lane, Selector selector, SocketChannel socket, int rail, long now)
      throws IOException {
    this.lane = lane;
    this.rail = rail;
    this.progress = now;
    stream = new Stream(selector, socket, SelectionKey.OP_READ, this);
    Frames.expect(in, Frames.HELLO);
  }

  /** The link that the peer named; null until it has. */
  LinkId link() {
    return link;
  }

  /** By which rail of ours it came. */
  int rail() {
    return rail;
  }

  /** When it is dropped if nothing moves; one that waits for a request may wait for ever. */
  long deadline() {
    return switch (state) {
      case HELLO, WELCOME, FAREWELL -> progress + lane.settings().helloNanos();
      case REQUEST ->
          in.position() == 0 ? Long.MAX_VALUE : progress + lane.settings().progressNanos();
      case PAYLOAD, ANSWER, REPLY -> progress + lane.settings().progressNanos();
    };
  }

  boolean expire(long now) {
    if (deadline() == Long.MAX_VALUE || now - deadline() < 0) {
      return false;
    }
    end();
    return true;
  }

  @Override
  public void ready(long now) {
    try {
      for (int turn = 0; turn < TURN && !ended; turn++) {
        if (!step(now)) {
          break;
        }
      }
      if (!ended) {
        stream.interest(out.hasRemaining() && sends() || state == State.REPLY);
      }
    } catch (IOException gone) {
      // The peer is told by its own end of the connection; there is nobody else to tell.
      end();
    }
  }

  private boolean sends() {
    return state == State.WELCOME || state == State.ANSWER || state == State.FAREWELL;
  }

  /** One step; false if it waits for the peer. */
  private boolean step(long now) throws IOException {
    return switch (state) {
      case HELLO -> stream.fill(in) && hello(now);
      case WELCOME -> stream.drain(out) && next(now);
      case REQUEST -> {
        int before = in.position();
        boolean whole = stream.fill(in);
        progress = in.position() > before ? now : progress;
        yield whole && request(now);
      }
      case PAYLOAD -> payload(now);
      case ANSWER -> stream.drain(out) && (answered() || next(now));
      case REPLY -> reply(now);
      case FAREWELL -> {
        if (stream.drain(out)) {
          end();
        }
        yield false;
      }
    };
  }

  private boolean hello(long now) {
    if (in.getInt(0) != Frames.MAGIC || in.getInt(4) != Frames.VERSION) {
      end();
      return false;
    }
    link = new LinkId(in.getLong(8), in.getLong(16));
    int answer = Frames.OK;
    if (in.getLong(24) != lane.context().generation()) {
      answer = Frames.STALE;
    } else if (lane.isFenced(link)) {
      answer = Frames.FENCED;
    } else if (lane.inbound().size() > lane.settings().maxInbound()) {
      answer = Frames.BUSY;
    }
    Frames.welcome(out, answer);
    state = answer == Frames.OK ? State.WELCOME : State.FAREWELL;
    progress = now;
    return true;
  }

  private boolean next(long now) {
    lease.release();
    Frames.expect(in, Frames.REQUEST);
    state = State.REQUEST;
    progress = now;
    return true;
  }

  private boolean request(long now) {
    write = in.getInt(0) == Frames.WRITE;
    length = in.getLong(16);
    if ((!write && in.getInt(0) != Frames.READ) || length < 1 || length > Frames.MAX_LENGTH) {
      end();
      return false;
    }
    status = acquire(in.getLong(8), in.getLong(24));
    at = 0;
    progress = now;
    if (write) {
      state = State.PAYLOAD;
    } else {
      answer();
    }
    return true;
  }

  private int acquire(long address, long key) {
    Regions.Refusal refusal = lane.context().regions().acquire(address, length, key, write, lease);
    return switch (refusal) {
      case NONE -> Frames.OK;
      case RANGE -> Frames.RANGE;
      case ACCESS -> Frames.ACCESS;
      case KEY -> Frames.KEY;
    };
  }

  /** The bytes of a write: into memory, or to nowhere if it was refused. */
  private boolean payload(long now) throws IOException {
    long left = length - at;
    int n =
        lease.held()
            ? stream.read(lease.memory(), lease.offset() + at, left)
            : stream.read(lane.waste(), 0, Math.min(left, lane.waste().byteSize()));
    at += n;
    progress = n > 0 ? now : progress;
    if (at == length) {
      lease.release();
      answer();
      return true;
    }
    return n > 0;
  }

  private void answer() {
    Frames.answer(out, status, length);
    state = State.ANSWER;
  }

  /** After the answer to a read come its bytes. */
  private boolean answered() {
    if (!write && status == Frames.OK) {
      state = State.REPLY;
      return true;
    }
    return false;
  }

  private boolean reply(long now) throws IOException {
    int n = stream.write(lease.memory(), lease.offset() + at, length - at);
    at += n;
    progress = n > 0 ? now : progress;
    return at == length ? next(now) : n > 0;
  }

  /** Closes it; nothing that the peer sent changes memory from here on. */
  void end() {
    if (!ended) {
      ended = true;
      lease.release();
      stream.close();
      lane.inbound().remove(this);
    }
  }
}

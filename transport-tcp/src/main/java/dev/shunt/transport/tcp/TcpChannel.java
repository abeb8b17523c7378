package dev.shunt.transport.tcp;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;

/**
 * A link's streams, as the runtime sees them. When one of them ends, all are closed at once, and
 * the lane reports the rest from its next work: never from within a call of the runtime's.
 *
 * <p>A fence goes out on every stream, so that whichever carries the redo carries the fence ahead
 * of it.
 */
final class TcpChannel implements Channel, TcpStream.Owner {
  private final TcpLink link;
  private final TcpLane lane;
  private final TcpStream[] streams;
  private final long stay;
  private final boolean keepsAlive;
  private int current;
  private Fault fault;

  /** With one stream at least, all of them welcomed. */
  TcpChannel(TcpLink link, TcpLane lane, TcpStream[] streams) {
    this.link = link;
    this.lane = lane;
    this.streams = streams;
    this.stay = Math.max(lane.settings().sliceSize(), lane.settings().mergeLimit());
    this.keepsAlive = streams[0].version() > 1;
    for (var stream : streams) {
      stream.owner(this);
    }
  }

  @Override
  public Link link() {
    return link;
  }

  @Override
  public int room() {
    int room = 0;
    for (var stream : streams) {
      room += stream.requester().room();
    }
    return room;
  }

  @Override
  public void post(Slice slice, long now) {
    pick().requester().post(slice);
  }

  /**
   * Stays with a stream until it has as much as a slice, so that neighbours can be merged; then the
   * one with the least bytes takes over.
   */
  private TcpStream pick() {
    var stream = streams[current];
    if (streams.length == 1 || stream.requester().room() > 0 && stream.requester().bytes() < stay) {
      return stream;
    }
    int best = -1;
    for (int i = 0; i < streams.length; i++) {
      var other = streams[i].requester();
      if (other.room() > 0 && (best < 0 || other.bytes() < streams[best].requester().bytes())) {
        best = i;
      }
    }
    current = best < 0 ? current : best;
    return streams[current];
  }

  @Override
  public void flush(long now) {
    for (int i = 0; i < streams.length && fault == null; i++) {
      streams[i].send();
    }
  }

  @Override
  public boolean fence(LinkId stale, long now) {
    if (stale.equals(link.id())) {
      // What failed on this channel while it goes on was answered: nothing of it is under way.
      return fault == null;
    }
    for (var stream : streams) {
      if (!stream.requester().roomForFence()) {
        return false;
      }
    }
    for (var stream : streams) {
      stream.requester().fence(stale);
    }
    flush(now);
    return fault == null;
  }

  @Override
  public void retire(RetireReason reason, long now) {
    broke(Faults.of(reason));
  }

  /** Whether the remote understands a keep-alive. */
  boolean keepsAlive() {
    return keepsAlive;
  }

  /**
   * Sees to it that a remote which is gone is noticed.
   *
   * @return when it is to be looked at again
   */
  long keepAlive(long now, long interval, long timeout) {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < streams.length && fault == null; i++) {
      next = Math.min(next, streams[i].keepAlive(now, interval, timeout));
    }
    return fault == null ? next : Long.MAX_VALUE;
  }

  void broke(Fault cause) {
    if (fault != null) {
      return;
    }
    fault = cause;
    for (var stream : streams) {
      stream.requester().end(cause);
      stream.abort();
    }
    lane.ended(this);
  }

  @Override
  public void moved(TcpStream stream) {
    if (fault == null && stream.requester().fault().isPresent()) {
      broke(stream.requester().fault().get());
    }
  }

  @Override
  public void connected(TcpStream stream, long now) {
    throw new IllegalStateException("a stream of a channel was connected long ago");
  }

  @Override
  public void welcomed(TcpStream stream, long now) {
    throw new IllegalStateException("a stream of a channel was welcomed long ago");
  }

  @Override
  public void refused(TcpStream stream, Fault cause) {
    throw new IllegalStateException("a stream of a channel was welcomed long ago");
  }

  /** Reports what is left. Once, after the end, not from within another call of its own. */
  void report(LaneListener listener) {
    for (var stream : streams) {
      stream.requester().abandon();
      stream.free();
    }
    listener.channelDown(this, fault);
  }
}

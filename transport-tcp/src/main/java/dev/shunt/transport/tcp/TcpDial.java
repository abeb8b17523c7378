package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.transport.tcp.core.Preamble;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * A link that this node opens. Its first stream decides whether it can be had; those after it are
 * asked for once that one is welcome, and what cannot be had of them is done without.
 */
final class TcpDial implements TcpStream.Owner {
  private final ConnectRequest request;
  private final TcpLane lane;
  private final Preamble preamble;
  private final InetSocketAddress local;
  private final InetSocketAddress remote;
  private final TcpStream[] streams;
  private int missing = 1;
  private long deadline;
  private boolean connected;
  private boolean over;

  TcpDial(
      ConnectRequest request,
      TcpLane lane,
      Preamble preamble,
      InetSocketAddress local,
      InetSocketAddress remote) {
    this.request = request;
    this.lane = lane;
    this.preamble = preamble;
    this.local = local;
    this.remote = remote;
    this.streams = new TcpStream[preamble.streams()];
  }

  ConnectRequest request() {
    return request;
  }

  void begin(long now) {
    until(now + lane.settings().connectTimeout());
    open(0);
  }

  private void until(long time) {
    long last = request.deadline();
    deadline = time - last < 0 ? time : last;
    lane.arm(deadline);
  }

  /** When {@link #expire} is due. */
  long deadline() {
    return deadline;
  }

  private void open(int number) {
    streams[number] = new TcpStream(lane, preamble.forStream(number), this);
    streams[number].begin(local, remote);
  }

  @Override
  public void connected(TcpStream stream, long now) {
    if (stream.number() == 0) {
      connected = true;
      until(now + lane.settings().handshakeTimeout());
    }
  }

  @Override
  public void welcomed(TcpStream stream, long now) {
    missing--;
    if (stream.number() == 0) {
      until(now + lane.settings().handshakeTimeout());
      missing += streams.length - 1;
      for (int i = 1; i < streams.length && !over; i++) {
        open(i);
      }
    }
    settle();
  }

  @Override
  public void refused(TcpStream stream, Fault fault) {
    streams[stream.number()] = null;
    missing--;
    if (stream.number() == 0 || Faults.ofTheLink(fault)) {
      fail(fault);
    } else {
      lane.dials().fewer(request, stream.number(), fault);
      settle();
    }
  }

  @Override
  public void moved(TcpStream stream) {
    stream.requester().fault().ifPresent(it -> fail(Faults.none(it.blame(), it.code(), it.text())));
  }

  /** Its deadline has passed: it goes with the streams that it has. */
  void expire() {
    if (streams[0] != null && streams[0].requester() != null) {
      for (int i = 1; i < streams.length; i++) {
        if (streams[i] != null && streams[i].requester() == null) {
          drop(i);
        }
      }
      missing = 0;
      settle();
      return;
    }
    // The kernel of a process that stands still connects, and nothing answers: that is no news of
    // the way to it. Where not even the kernel answers, it is.
    var rail = " rail " + request.remoteRail().name() + " (" + remote + ")";
    fail(
        connected
            ? Faults.none(
                Fault.Blame.NEUTRAL,
                FailureCode.UNREACHABLE,
                "connected to" + rail + ", but the preamble was not answered in time")
            : Faults.none(
                Fault.Blame.REMOTE, FailureCode.HANDSHAKE, "no connection to" + rail + " in time"));
  }

  private void drop(int number) {
    streams[number].abort();
    streams[number].free();
    streams[number] = null;
  }

  private void settle() {
    if (missing > 0 || over) {
      return;
    }
    over = true;
    var up = Arrays.stream(streams).filter(Objects::nonNull).toArray(TcpStream[]::new);
    lane.dials().dialed(this, Optional.of(new TcpChannel(TcpLink.of(request), lane, up)), null);
  }

  /** Ends it without a link. */
  void fail(Fault fault) {
    if (over) {
      return;
    }
    over = true;
    for (int i = 0; i < streams.length; i++) {
      if (streams[i] != null) {
        drop(i);
      }
    }
    lane.dials().dialed(this, Optional.empty(), fault);
  }
}

package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.transport.tcp.core.Answer;
import dev.shunt.transport.tcp.core.FrameBuffer;
import dev.shunt.transport.tcp.core.Preamble;
import java.util.Optional;

/** A stream that this node opens, until it is welcomed or refused. Then its channel's events. */
final class TcpDial implements WireHandler {
  private final ConnectRequest request;
  private final TcpLane lane;
  private final Preamble preamble;
  private final FrameBuffer in;
  private final FrameBuffer out;
  private Wire wire;
  private long got;
  private long put;
  private boolean over;
  private TcpChannel channel;

  TcpDial(ConnectRequest request, TcpLane lane, Preamble preamble) {
    this.request = request;
    this.lane = lane;
    this.preamble = preamble;
    this.in = lane.staging().take();
    this.out = lane.staging().take();
  }

  ConnectRequest request() {
    return request;
  }

  void begun(Wire wire) {
    this.wire = wire;
  }

  @Override
  public void connected(Wire wire, long now) {
    preamble.encode(out, 0);
    act(this::ask);
  }

  @Override
  public void readable(Wire wire, long now) {
    if (channel != null) {
      channel.readable();
    } else {
      act(this::answer);
    }
  }

  @Override
  public void writable(Wire wire, long now) {
    if (channel != null) {
      channel.writable();
    } else {
      act(this::ask);
    }
  }

  @Override
  public void failed(Wire wire, WireException cause, long now) {
    if (channel != null) {
      channel.broke(Faults.of(cause));
    } else {
      fail(unreached(cause));
    }
  }

  /** Its deadline has passed. */
  void expire() {
    fail(
        Faults.none(
            Fault.Blame.REMOTE,
            FailureCode.UNREACHABLE,
            "no stream to rail " + request.remoteRail().name() + " by the deadline"));
  }

  /** Ends it without a stream. */
  void fail(Fault fault) {
    if (over) {
      return;
    }
    over = true;
    if (wire != null) {
      wire.abort();
    }
    lane.staging().give(in);
    lane.staging().give(out);
    lane.dialed(this, Optional.empty(), fault);
  }

  private void act(Runnable step) {
    if (over) {
      return;
    }
    try {
      step.run();
    } catch (WireException e) {
      fail(unreached(e));
    } catch (RuntimeException e) {
      lane.defect("a new stream", e);
      fail(Faults.internal(e));
    }
  }

  /** Sends what is left of the preamble. */
  private void ask() {
    while (put < Preamble.LENGTH) {
      long count = wire.write(out.memory(), put, Preamble.LENGTH - put);
      if (count == 0) {
        wire.interest(true, true);
        return;
      }
      put += count;
    }
    wire.interest(true, false);
  }

  private void answer() {
    long count = wire.read(in.memory(), got, Answer.LENGTH - got);
    if (count < 0) {
      fail(remote("the remote ended the stream before it answered the preamble"));
      return;
    }
    got += count;
    if (got < Answer.LENGTH) {
      return;
    }
    var answer = Answer.decode(in, 0);
    if (answer.isEmpty()) {
      fail(remote("what listens there is no node of ours: its answer makes no sense"));
    } else if (answer.get().status() != Answer.Status.WELCOME) {
      fail(Faults.of(answer.get(), preamble.expected()));
    } else if (!answer.get().fits(preamble)) {
      fail(remote("the remote granted what was not asked for"));
    } else {
      over = true;
      channel = new TcpChannel(TcpLink.of(request), lane, wire, in, out, answer.get());
      lane.dialed(this, Optional.of(channel), null);
    }
  }

  private static Fault unreached(WireException cause) {
    var fault = Faults.of(cause);
    return Faults.none(fault.blame(), FailureCode.UNREACHABLE, fault.text());
  }

  private static Fault remote(String text) {
    return Faults.none(Fault.Blame.REMOTE, FailureCode.PROTOCOL, text);
  }
}

package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.transport.tcp.core.Answer;
import dev.shunt.transport.tcp.core.FrameBuffer;
import dev.shunt.transport.tcp.core.Preamble;
import dev.shunt.transport.tcp.core.Requester;
import java.net.InetSocketAddress;

/**
 * One stream of a link that this node opens: until it is welcomed or refused, and from then on.
 * Owned by its lane.
 */
final class TcpStream implements WireHandler {
  private final TcpLane lane;
  private final Preamble preamble;
  private final FrameBuffer in;
  private final FrameBuffer out;
  private Owner owner;
  private Wire wire;
  private long got;
  private long put;
  private boolean connected;
  private boolean over;
  private Requester requester;
  private long heard;
  private long pinged;

  private enum Step {
    ASK,
    ANSWER,
    SEND,
    RECEIVE
  }

  /** Who hears of it: its dial, then its channel. */
  interface Owner {
    /** It is connected; its preamble goes out. */
    void connected(TcpStream stream, long now);

    /** The remote has welcomed it: it has a requester. */
    void welcomed(TcpStream stream, long now);

    /** It cannot be had; it is closed. Before it was welcomed. */
    void refused(TcpStream stream, Fault fault);

    /** Something happened on it, after it was welcomed: its requester may have ended. */
    void moved(TcpStream stream);
  }

  TcpStream(TcpLane lane, Preamble preamble, Owner owner) {
    this.lane = lane;
    this.preamble = preamble;
    this.owner = owner;
    this.in = lane.staging().take();
    this.out = lane.staging().take();
  }

  /** Begins to connect; the answer may come at once. */
  void begin(InetSocketAddress local, InetSocketAddress remote) {
    try {
      wire = lane.loop().connect(local, remote, this);
    } catch (TransportException e) {
      refuse(Faults.unopened(e));
    }
  }

  /** Which of its link's streams it is. */
  int number() {
    return preamble.stream();
  }

  /** Of its frames. */
  int version() {
    return preamble.version();
  }

  void owner(Owner next) {
    owner = next;
  }

  /** Its requester; null until it was welcomed. */
  Requester requester() {
    return requester;
  }

  /** Ends it at once, and drops what did not go out. Its requester must have ended. */
  void abort() {
    if (!over) {
      over = true;
      if (wire != null) {
        wire.abort();
      }
    }
  }

  /** Gives its memory back. Once, after it was aborted and its slices were reported. */
  void free() {
    lane.staging().give(in);
    lane.staging().give(out);
  }

  void send() {
    act(Step.SEND, 0);
  }

  /**
   * Sees to it that a remote which is gone is noticed.
   *
   * @return when it is to be looked at again
   */
  long keepAlive(long now, long interval, long timeout) {
    if (pinged - heard > 0) {
      if (now - pinged >= timeout) {
        requester.end(
            Faults.possible(
                Fault.Blame.NEUTRAL,
                FailureCode.UNREACHABLE,
                "no answer to a keep-alive within "
                    + timeout / 1_000_000
                    + " ms (keep-alive-timeout)"));
        owner.moved(this);
        return Long.MAX_VALUE;
      }
      return pinged + timeout;
    }
    if (now - heard < interval) {
      return heard + interval;
    }
    if (!requester.idle()) {
      // What is posted has a watch of its own.
      return now + interval;
    }
    requester.ping();
    pinged = now;
    send();
    return now + timeout;
  }

  @Override
  public void connected(Wire wire, long now) {
    connected = true;
    owner.connected(this, now);
    preamble.encode(out, 0);
    act(Step.ASK, now);
  }

  @Override
  public void readable(Wire wire, long now) {
    heard = now;
    act(requester == null ? Step.ANSWER : Step.RECEIVE, now);
  }

  @Override
  public void writable(Wire wire, long now) {
    act(requester == null ? Step.ASK : Step.SEND, now);
  }

  @Override
  public void failed(Wire wire, WireException cause, long now) {
    broke(cause);
  }

  private void act(Step step, long now) {
    if (over) {
      return;
    }
    try {
      switch (step) {
        case ASK -> ask();
        case ANSWER -> answer(now);
        case SEND -> requester.send();
        case RECEIVE -> requester.receive();
      }
    } catch (WireException e) {
      broke(e);
      return;
    } catch (RuntimeException e) {
      lane.defect("a stream", e);
      end(Faults.internal(e));
      return;
    }
    if (requester != null && !over) {
      owner.moved(this);
    }
  }

  private void broke(WireException cause) {
    if (requester != null) {
      end(Faults.of(cause));
    } else {
      end(connected ? Faults.cutShort(cause) : Faults.unopened(cause));
    }
  }

  private void end(Fault fault) {
    if (over) {
      return;
    }
    if (requester == null) {
      refuse(fault);
    } else {
      requester.end(fault);
      owner.moved(this);
    }
  }

  private void refuse(Fault fault) {
    abort();
    free();
    owner.refused(this, fault);
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

  private void answer(long now) {
    long count = wire.read(in.memory(), got, Answer.LENGTH - got);
    if (count < 0) {
      refuse(
          Faults.none(
              Fault.Blame.REMOTE,
              FailureCode.HANDSHAKE,
              "the remote ended the stream before it answered the preamble"));
      return;
    }
    got += count;
    if (got < Answer.LENGTH) {
      return;
    }
    var answer = Answer.decode(in, 0);
    if (answer.isEmpty()) {
      refuse(remote("what listens there is no node of ours: its answer makes no sense"));
    } else if (answer.get().status() != Answer.Status.WELCOME) {
      refuse(Faults.of(answer.get(), preamble.expected()));
    } else if (!answer.get().fits(preamble)) {
      refuse(remote("the remote granted what was not asked for, or less than is needed"));
    } else {
      var limits = lane.settings().limits(preamble, answer.get());
      requester = new Requester(wire, in, out, limits, lane.views(), lane.listener());
      pinged = now;
      owner.welcomed(this, now);
    }
  }

  private static Fault remote(String text) {
    return Faults.none(Fault.Blame.REMOTE, FailureCode.PROTOCOL, text);
  }
}

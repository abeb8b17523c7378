package dev.shunt.transport.tcp;

import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.transport.tcp.core.Answer;
import dev.shunt.transport.tcp.core.Bye;
import dev.shunt.transport.tcp.core.FrameBuffer;
import dev.shunt.transport.tcp.core.Preamble;
import dev.shunt.transport.tcp.core.Responder;
import java.net.InetAddress;
import java.util.Optional;

/** A stream that a peer opened: its handshake, then the responder. Owned by its lane. */
final class TcpInbound implements WireHandler {
  /** For so many of its intervals an idle requester may be silent until its stream is dropped. */
  private static final long SILENT_INTERVALS = 3;

  private final Wire wire;
  private final TcpLane lane;
  private final TcpListener rail;
  private final long handshakeDeadline;
  private final InetAddress address;

  /** The preamble, then the answer to it: whoever only connects holds no more memory than this. */
  private FrameBuffer greeting;

  private FrameBuffer in;
  private FrameBuffer out;
  private long got;
  private long put;
  private Answer answer;
  private Answer granted;
  private LinkId link;
  private int number;
  private Responder responder;
  private boolean closed;

  private enum Step {
    RECEIVE,
    SEND,
    FENCED,
    HOLD,
    GO_ON
  }

  TcpInbound(Wire wire, TcpLane lane, TcpListener rail, long handshakeDeadline) {
    this.wire = wire;
    this.lane = lane;
    this.rail = rail;
    this.handshakeDeadline = handshakeDeadline;
    this.address = wire.remote().getAddress();
    this.greeting = lane.greetings().take();
  }

  @Override
  public void connected(Wire wire, long now) {
    throw new IllegalStateException("an accepted stream does not connect");
  }

  @Override
  public void readable(Wire wire, long now) {
    act(Step.RECEIVE, now);
  }

  @Override
  public void writable(Wire wire, long now) {
    act(Step.SEND, now);
  }

  @Override
  public void failed(Wire wire, WireException cause, long now) {
    drop(cause.getMessage());
  }

  /** The name of the link, once it was welcomed. */
  Optional<LinkId> link() {
    return Optional.ofNullable(link);
  }

  /** Which of its link's streams it is. */
  int number() {
    return number;
  }

  TcpListener rail() {
    return rail;
  }

  /** From where it was opened. */
  InetAddress address() {
    return address;
  }

  /** Others want its place: unless its preamble has come meanwhile, it is dropped. */
  void makeRoom(long now) {
    act(Step.RECEIVE, now);
    if (responder == null) {
      drop("no preamble yet, and others want in (max-handshakes)");
    }
  }

  /** When it is given up unless something comes. */
  long deadline() {
    return shaken() ? responder.deadline() : handshakeDeadline;
  }

  /** Its deadline has passed. */
  void expire() {
    if (shaken()) {
      end(responder.overdue());
    } else {
      drop("no handshake within handshake-timeout");
    }
  }

  /** From here on nothing of it changes memory; what did not arrive yet is dropped. */
  void fence() {
    if (!closed) {
      wire.abort();
      drop("fenced by the peer");
    }
  }

  /** Its rail can carry nothing. */
  void lost(String why) {
    if (!closed) {
      wire.abort();
      drop(why);
    }
  }

  /** A fence that it brought is done. */
  void fenced(long now) {
    act(Step.FENCED, now);
  }

  void hold(boolean hold, long now) {
    if (shaken()) {
      act(hold ? Step.HOLD : Step.GO_ON, now);
    }
  }

  /** Ends it, with a last word where that is possible. */
  void end(Bye reason) {
    if (closed) {
      return;
    }
    try {
      if (shaken()) {
        responder.end(reason);
      }
      drop(reason.text());
    } catch (WireException e) {
      drop(e.getMessage());
    }
  }

  private boolean shaken() {
    return responder != null && answer == null;
  }

  private void act(Step step, long now) {
    if (closed) {
      return;
    }
    try {
      switch (step) {
        case RECEIVE -> receive(now);
        case SEND -> send(now);
        case FENCED -> responder.fenced(now);
        case HOLD -> responder.hold(true, now);
        case GO_ON -> responder.hold(false, now);
      }
      if (responder != null && responder.ended()) {
        drop(responder.end() == Bye.NONE ? "the peer ended it" : responder.end().text());
      } else if (!closed) {
        lane.arm(deadline());
      }
    } catch (WireException e) {
      drop(e.getMessage());
    } catch (RuntimeException e) {
      lane.defect("an inbound stream", e);
      end(Bye.INTERNAL);
    }
  }

  private void receive(long now) {
    if (answer != null) {
      return;
    }
    if (responder == null) {
      handshake(now);
    } else {
      responder.receive(now);
    }
  }

  private void send(long now) {
    if (answer != null) {
      answer(now);
    } else {
      responder.send(now);
    }
  }

  private void handshake(long now) {
    long count = wire.read(greeting.memory(), got, Preamble.LENGTH - got);
    if (count < 0) {
      drop("the peer ended it before its preamble");
      return;
    }
    got += count;
    if (got >= Long.BYTES && !Preamble.speaksShunt(greeting, 0)) {
      drop("the peer is no node of ours: its first bytes are not the preamble's");
    } else if (got == Preamble.LENGTH) {
      var preamble = Preamble.decode(greeting, 0);
      answer = preamble.map(rail::decide).orElseGet(rail::malformed);
      answer.encode(greeting, 0);
      if (answer.status() == Answer.Status.WELCOME) {
        serve(preamble.orElseThrow());
      }
      answer(now);
    }
  }

  /** Sends what is left of the answer to the preamble. */
  private void answer(long now) {
    while (put < Answer.LENGTH) {
      long count = wire.write(greeting.memory(), put, Answer.LENGTH - put);
      if (count == 0) {
        wire.interest(false, true);
        return;
      }
      put += count;
    }
    wire.interest(true, false);
    var status = answer.status();
    answer = null;
    endGreeting();
    if (status == Answer.Status.WELCOME) {
      responder.hold(rail.held(), now);
    } else {
      drop("refused: " + status);
    }
  }

  /** Known from here on, so that a fence finds it, though its answer is still to go out. */
  private void serve(Preamble asked) {
    link = new LinkId(asked.generation(), asked.attempt());
    number = asked.stream();
    granted = answer;
    in = lane.staging().take();
    out = lane.staging().take();
    responder =
        new Responder(
            wire,
            in,
            out,
            lane.settings().limits(asked, granted),
            lane.views(),
            link,
            lane.regions(),
            stale -> lane.fence(stale, this),
            lane.settings().progressTimeout(),
            SILENT_INTERVALS * asked.keepAlive() * 1_000_000L);
    rail.serving(this, link.generation(), granted);
    lane.serving(link, this);
  }

  private void drop(String why) {
    if (closed) {
      return;
    }
    closed = true;
    if (responder != null) {
      responder.close();
    }
    wire.close();
    lane.dropped(this, why);
    endGreeting();
    if (responder == null) {
      rail.ended(this);
    } else {
      rail.ended(link.generation(), granted);
      lane.staging().give(in);
      lane.staging().give(out);
    }
  }

  private void endGreeting() {
    if (greeting != null) {
      lane.greetings().give(greeting);
      greeting = null;
    }
  }
}

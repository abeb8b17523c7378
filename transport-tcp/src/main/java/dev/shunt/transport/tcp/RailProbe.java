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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A stream from a rail to itself. It asks for a link that every node of ours refuses as fenced, so
 * that it costs nothing, and the refusal proves whose listener that is: of which generation, and
 * which of its rails. Owned by its lane.
 */
final class RailProbe implements WireHandler {
  /** Of the link that is asked for; links of the engine count from 1, and never come so far. */
  static final long ATTEMPT = Long.MAX_VALUE;

  private final TcpLane lane;
  private final long generation;
  private final TcpRail rail;
  private final long deadline;
  private final Consumer<Optional<Fault>> answer;
  private final FrameBuffer buffer;
  private Wire wire;
  private long put;
  private long got;
  private boolean over;

  RailProbe(
      TcpLane lane,
      long generation,
      TcpRail rail,
      long deadline,
      Consumer<Optional<Fault>> answer) {
    this.lane = lane;
    this.generation = generation;
    this.rail = rail;
    this.deadline = deadline;
    this.answer = answer;
    this.buffer = lane.greetings().take();
  }

  long deadline() {
    return deadline;
  }

  void begin() {
    try {
      wire = lane.loop().connect(rail.bind(), new InetSocketAddress(target(), rail.port()), this);
    } catch (TransportException e) {
      fail(e.getMessage());
    }
  }

  /** Its own address; one that stands for all of them leads to this machine anyway. */
  private InetAddress target() {
    var bound = rail.bind().getAddress();
    return bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
  }

  void expire() {
    fail("it was not answered in time");
  }

  @Override
  public void connected(Wire it, long now) {
    new Preamble(Preamble.VERSION, 0, 1, generation, generation, ATTEMPT, rail.index(), 1, 0, 1, 0)
        .encode(buffer, 0);
    writable(it, now);
  }

  @Override
  public void writable(Wire it, long now) {
    try {
      while (put < Preamble.LENGTH) {
        long count = wire.write(buffer.memory(), put, Preamble.LENGTH - put);
        if (count == 0) {
          wire.interest(true, true);
          return;
        }
        put += count;
      }
      wire.interest(true, false);
    } catch (WireException e) {
      fail(e.getMessage());
    }
  }

  @Override
  public void readable(Wire it, long now) {
    try {
      long count = put < Preamble.LENGTH ? 0 : wire.read(buffer.memory(), got, Answer.LENGTH - got);
      if (count < 0) {
        fail("it was ended before it was answered");
        return;
      }
      got += count;
    } catch (WireException e) {
      fail(e.getMessage());
      return;
    }
    if (got == Answer.LENGTH) {
      judge(Answer.decode(buffer, 0));
    }
  }

  private void judge(Optional<Answer> said) {
    if (said.filter(it -> it.generation() == generation).isEmpty()) {
      fail("another process answers there");
    } else if (said.get().status() != Answer.Status.FENCED) {
      fail("the answer was " + said.get().status());
    } else {
      end(Optional.empty());
    }
  }

  @Override
  public void failed(Wire it, WireException cause, long now) {
    fail(cause.getMessage());
  }

  private void fail(String why) {
    end(
        Optional.of(
            Faults.none(
                Fault.Blame.LOCAL,
                FailureCode.CONNECTION,
                "a stream from " + rail + " to itself failed: " + why)));
  }

  /** Ends it with an answer, unless it has ended. */
  void end(Optional<Fault> problem) {
    if (over) {
      return;
    }
    over = true;
    if (wire != null) {
      wire.close();
    }
    lane.greetings().give(buffer);
    lane.rails().ended(this);
    answer.accept(problem);
  }
}

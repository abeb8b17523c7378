package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.transport.rdma.core.EndpointLife.State;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import dev.shunt.transport.rdma.wire.BootstrapExtension.Ready;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A handshake of ours with a plain peer, as that one sees it: there is one connection for each pair
 * of NICs, and it serves both. Where the peer asks for it while we do, or again later, it is told
 * of the QPs that it was told of by our own question, so that both settle on the same. Does nothing
 * where the peer is a Shunt node.
 */
final class PlainMeeting {
  private static final Logger LOG = LoggerFactory.getLogger(PlainMeeting.class);
  private static final int MOST_WAITING = 8;

  private final Connector connector;
  private final RdmaLink link;
  private final Handshake handshake;
  private final NicPair pair;
  private final List<Waiter> waiting = new ArrayList<>();

  /** A question of the peer's that has no answer yet. */
  interface Waiter {
    void accepted(BootstrapDesc ours);

    void refused(String why);
  }

  PlainMeeting(Connector connector, RdmaLink link, Handshake handshake) {
    this.connector = connector;
    this.link = link;
    this.handshake = handshake;
    pair = new NicPair(Connector.peerPath(link), link.local().name());
  }

  /** Whether there is another one of the same pair, which is not to be disturbed. */
  boolean second() {
    var other = connector.plain().get(pair);
    return link.plain() && other != null && other.live();
  }

  private State state() {
    var endpoint = handshake.endpoint();
    return endpoint == null ? State.DESTROYED : endpoint.life().state();
  }

  private boolean live() {
    return state() == State.CONNECTING || state() == State.CONNECTED;
  }

  /** The peer is about to be asked. */
  void begun() {
    if (link.plain()) {
      connector.plain().put(pair, this);
    }
  }

  /** The connection is gone. */
  void over() {
    if (link.plain()) {
      connector.plain().remove(pair, this);
    }
  }

  /** The handshake, or a round of it, came to nothing. */
  void failed(String why) {
    var all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(waiter -> waiter.refused(why));
  }

  /** The connection is there. */
  void up() {
    if (!link.plain()) {
      return;
    }
    var all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(waiter -> waiter.accepted(ours()));
    connector.plain().up(pair);
  }

  private BootstrapDesc ours() {
    return connector.desc(handshake.endpoint(), 0, false, Ready.NONE);
  }

  /**
   * The peer asks for the connection.
   *
   * @return false if it is not this one that it can mean, which ends then: it may have another
   */
  boolean asked(BootstrapDesc asked, Waiter waiter) {
    boolean same = asked.qpNumbers().equals(handshake.peers());
    switch (state()) {
      case CONNECTED -> {
        if (same) {
          waiter.accepted(ours());
          return true;
        }
        retire("the peer asks for another connection");
        return false;
      }
      case CONNECTING -> {
        if (handshake.endpoint().busy()) {
          wait(same, waiter);
        } else {
          settle(asked, waiter);
        }
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  private void wait(boolean same, Waiter waiter) {
    if (same && waiting.size() < MOST_WAITING) {
      waiting.add(waiter);
    } else {
      waiter.refused("the connection is being made with other QPs; try again");
    }
  }

  private void settle(BootstrapDesc asked, Waiter waiter) {
    int ours = handshake.endpoint().qps().size();
    if (asked.qpNumbers().size() != ours) {
      connector.plain().counted(link.remote().name(), asked.qpNumbers().size());
      waiter.refused("the connection is being made with " + ours + " QPs; try again");
      return;
    }
    try {
      var gid = Answers.gid(asked);
      waiting.add(waiter);
      handshake.configure(asked, gid);
    } catch (BootstrapException e) {
      waiting.remove(waiter);
      waiter.refused(e.getMessage());
    }
  }

  /** The answer to our own question, after the peer's question has brought about the connection. */
  void answeredAfterAll(byte[] reply) {
    if (!live()) {
      return;
    }
    try {
      var desc = BootstrapCodec.decode(reply);
      // A refusal is older than what the peer asked for since.
      if (!desc.refused() && !desc.qpNumbers().equals(handshake.peers())) {
        retire("the peer has connected other QPs");
      }
    } catch (BootstrapException e) {
      LOG.debug("{}: an answer that was not needed any more is wrong: {}", link, e.getMessage());
    }
  }

  private void retire(String why) {
    handshake
        .endpoint()
        .retire(new Fault(Blame.NEUTRAL, FailureCode.CONNECTION, Effect.NONE, link + ": " + why));
  }
}

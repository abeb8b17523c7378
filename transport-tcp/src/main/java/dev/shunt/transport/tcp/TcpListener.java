package dev.shunt.transport.tcp;

import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireServer;
import dev.shunt.transport.tcp.core.Admission;
import dev.shunt.transport.tcp.core.Answer;
import dev.shunt.transport.tcp.core.PeerShares;
import dev.shunt.transport.tcp.core.Preamble;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/**
 * What one rail has accepted, within its bounds. Owned by its lane.
 *
 * <p>Streams whose preamble is not there yet are bounded. At the bound one of them makes room for
 * the newcomer, who may be a real peer that speaks at once: the one that has waited longest, of the
 * newcomer's own address where that has half of the places already.
 */
final class TcpListener implements WireServer.Handler {
  private final TcpLane lane;
  private final Admission admission;
  private final TcpSettings settings;
  private final PeerShares shares;
  private final LinkedHashSet<TcpInbound> waiting = new LinkedHashSet<>();
  private final Map<InetAddress, LinkedHashSet<TcpInbound>> byAddress = new HashMap<>();
  private int streams;
  private boolean held;

  TcpListener(TcpLane lane, Admission admission, TcpSettings settings) {
    this.lane = lane;
    this.admission = admission;
    this.settings = settings;
    var peers = settings.peers();
    this.shares = new PeerShares(peers.streams(), peers.requests(), peers.bytes());
  }

  @Override
  public WireHandler accepted(Wire wire, long now) {
    if (waiting.size() >= settings.maxHandshakes()) {
      longestWaiting(wire.remote().getAddress()).makeRoom(now);
    }
    var inbound = new TcpInbound(wire, lane, this, now + settings.handshakeTimeout());
    waiting.add(inbound);
    byAddress.computeIfAbsent(inbound.address(), _ -> new LinkedHashSet<>()).add(inbound);
    lane.adopt(inbound);
    return inbound;
  }

  private TcpInbound longestWaiting(InetAddress newcomer) {
    var own = byAddress.get(newcomer);
    boolean hasItsShare = own != null && own.size() >= Math.max(1, settings.maxHandshakes() / 2);
    return (hasItsShare ? own : waiting).getFirst();
  }

  /** Answers a preamble. */
  Answer decide(Preamble asked) {
    var link = new LinkId(asked.generation(), asked.attempt());
    long longest = Math.min(asked.longest(), admission.longest());
    return admission.decide(
        asked,
        lane.isFenced(link),
        lane.knows(link, asked.stream()),
        streams >= settings.maxStreams(),
        shares.left(asked.generation(), longest));
  }

  Answer malformed() {
    return Answer.of(Answer.Status.MALFORMED, admission.generation());
  }

  boolean held() {
    return held;
  }

  void hold(boolean hold) {
    held = hold;
  }

  void serving(TcpInbound inbound, long peer, Answer granted) {
    waitsNoMore(inbound);
    streams++;
    shares.add(peer, granted.depth(), granted.longest());
  }

  /** One that was not served ended. */
  void ended(TcpInbound inbound) {
    waitsNoMore(inbound);
  }

  /** One that was served ended. */
  void ended(long peer, Answer granted) {
    streams--;
    shares.remove(peer, granted.depth(), granted.longest());
  }

  private void waitsNoMore(TcpInbound inbound) {
    waiting.remove(inbound);
    var own = byAddress.get(inbound.address());
    own.remove(inbound);
    if (own.isEmpty()) {
      byAddress.remove(inbound.address());
    }
  }
}

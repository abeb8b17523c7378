package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.WireServer;
import dev.shunt.transport.tcp.core.Admission;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The rails that one lane listens on, and the checks of them. Owned by the lane. */
final class LaneRails {
  private final TcpLane lane;
  private final long generation;
  private final LongSupplier clock;
  private final Map<Integer, Listening> rails = new LinkedHashMap<>();
  private final List<RailProbe> probes = new ArrayList<>();

  private static final class Listening {
    final TcpListener listener;
    Optional<WireServer> server;

    Listening(TcpListener listener, WireServer server) {
      this.listener = listener;
      this.server = Optional.of(server);
    }
  }

  LaneRails(TcpLane lane, long generation, LongSupplier clock) {
    this.lane = lane;
    this.generation = generation;
    this.clock = clock;
  }

  /**
   * Listens.
   *
   * @return where
   */
  InetSocketAddress listen(int rail, InetSocketAddress address, int depth, long longest) {
    var admission = new Admission(generation, rail, depth, longest);
    var listener = new TcpListener(lane, admission, lane.settings());
    var server = lane.loop().listen(address, listener);
    rails.put(rail, new Listening(listener, server));
    return server.address();
  }

  boolean isEmpty() {
    return rails.isEmpty();
  }

  /** What a rail has accepted; empty if another lane listens on it. */
  Optional<TcpListener> listener(int rail) {
    return Optional.ofNullable(rails.get(rail)).map(it -> it.listener);
  }

  /** Whether a link is the one by which this node checks its rails. */
  boolean isCheck(LinkId link) {
    return link.generation() == generation && link.attempt() == RailProbe.ATTEMPT;
  }

  /**
   * Looks whether a rail of this lane answers, and listens on it anew if it does not.
   *
   * @param anew whether it is listened on anew in any case
   * @param answer called on the lane, once: what is wrong
   */
  void check(TcpRail rail, boolean anew, long deadline, Consumer<Optional<Fault>> answer) {
    if (anew || rails.get(rail.index()).server.isEmpty()) {
      listenAnew(rail, deadline, answer);
      return;
    }
    probe(
        rail,
        deadline,
        fault -> {
          if (fault.isEmpty()) {
            answer.accept(fault);
          } else {
            listenAnew(rail, deadline, answer);
          }
        });
  }

  private void listenAnew(TcpRail rail, long deadline, Consumer<Optional<Fault>> answer) {
    var listening = rails.get(rail.index());
    listening.server.ifPresent(WireServer::close);
    listening.server = Optional.empty();
    try {
      listening.server = Optional.of(listen(listening.listener, rail));
    } catch (TransportException e) {
      answer.accept(
          Optional.of(
              Faults.none(
                  Fault.Blame.LOCAL,
                  e.code(),
                  rail + " cannot be listened on: " + e.getMessage())));
      return;
    }
    rail.port(listening.server.get().address().getPort());
    probe(rail, deadline, answer);
  }

  /** Where it was before, if that may be another place next time: peers know that one. */
  private WireServer listen(TcpListener listener, TcpRail rail) {
    var address = rail.bind().getAddress();
    try {
      return lane.loop().listen(new InetSocketAddress(address, rail.port()), listener);
    } catch (TransportException taken) {
      if (rail.wantedPort() != 0) {
        throw taken;
      }
      return lane.loop().listen(rail.bind(), listener);
    }
  }

  private void probe(TcpRail rail, long deadline, Consumer<Optional<Fault>> answer) {
    long end = Math.min(deadline, clock.getAsLong() + lane.settings().handshakeTimeout());
    var probe = new RailProbe(lane, generation, rail, end, answer);
    probes.add(probe);
    lane.arm(end);
    probe.begin();
  }

  /** For tests: a rail's listener is gone, as if its address had been taken away. */
  void loseForTest(int rail) {
    rails.get(rail).server.ifPresent(WireServer::close);
  }

  /** A probe has ended. */
  void ended(RailProbe probe) {
    probes.remove(probe);
  }

  /** Ends the probes whose time has passed; answers how many. */
  int expire(long now) {
    int count = 0;
    for (var probe : List.copyOf(probes)) {
      if (probe.deadline() - now <= 0) {
        probe.expire();
        count++;
      } else {
        lane.arm(probe.deadline());
      }
    }
    return count;
  }

  /** Ends all probes. */
  void close() {
    var closed = Faults.none(Fault.Blame.NEUTRAL, FailureCode.CLOSED, "the transport was closed");
    List.copyOf(probes).forEach(it -> it.end(Optional.of(closed)));
  }
}

package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Remote;
import dev.shunt.transport.tcp.core.Frame;
import dev.shunt.transport.tcp.core.Preamble;
import dev.shunt.transport.tcp.core.Requester;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The links that are being opened on one lane. Owned by the lane. */
final class LaneDials {
  private static final Logger log = LoggerFactory.getLogger(LaneDials.class);

  private final TcpLane lane;
  private final LongSupplier clock;
  private final LinkedHashSet<TcpDial> dials = new LinkedHashSet<>();

  LaneDials(TcpLane lane, LongSupplier clock) {
    this.lane = lane;
    this.clock = clock;
  }

  /** The remote published nothing that one could connect to. */
  void unaddressed(ConnectRequest request) {
    refuse(
        request,
        Fault.Blame.REMOTE,
        FailureCode.PROTOCOL,
        "the remote published no address and port for its rail: "
            + request.remoteRail().attributes());
  }

  /** Its own rail has no link. */
  void withoutLink(ConnectRequest request, Fault fault) {
    lane.listener().connectFailed(request, fault);
  }

  /** The name that the remote published could not be looked up. */
  void unresolved(ConnectRequest request, String host, Fault fault) {
    refuse(
        request,
        Fault.Blame.REMOTE,
        FailureCode.UNREACHABLE,
        "no address of " + host + " was found: " + fault.text());
  }

  void connect(ConnectRequest request, RemoteAddress address, InetAddress... found) {
    var local = ((TcpRail) request.local()).bind();
    var remote = address.from(local.getAddress(), found);
    if (lane.closed()) {
      refuse(request, Fault.Blame.NEUTRAL, FailureCode.CLOSED, "the transport was closed");
    } else if (!(request.remote() instanceof Remote.Node node)
        || node.verdict().version(TcpTransportProvider.STREAM) == 0) {
      refuse(
          request,
          Fault.Blame.NEUTRAL,
          FailureCode.CAPABILITY,
          request.remote().name()
              + " and this node did not agree on "
              + TcpTransportProvider.STREAM);
    } else if (remote.isEmpty()) {
      refuse(
          request,
          Fault.Blame.LOCAL,
          FailureCode.UNREACHABLE,
          "from "
              + local.getAddress().getHostAddress()
              + " no address of the other family is reached: "
              + address.host());
    } else {
      dial(request, node, local, remote.get());
    }
  }

  private void dial(
      ConnectRequest request, Remote.Node node, InetSocketAddress local, InetSocketAddress remote) {
    int version = node.verdict().version(TcpTransportProvider.STREAM);
    int streams = version == 1 ? 1 : settings().streams();
    var preamble =
        new Preamble(
            version,
            node.verdict().version(TcpTransportProvider.CHECKSUM) > 0 ? Frame.CHECKSUM : 0,
            Requester.depthFor(Math.max(1, settings().depth() / streams)),
            request.id().generation(),
            node.generation(),
            request.id().attempt(),
            request.remoteRail().index(),
            settings().maxSlice(),
            0,
            streams,
            version == 1 ? 0 : (int) (settings().keepAliveInterval() / 1_000_000));
    var dial = new TcpDial(request, lane, preamble, local, remote);
    dials.add(dial);
    dial.begin(clock.getAsLong());
  }

  private void refuse(ConnectRequest request, Fault.Blame blame, FailureCode code, String text) {
    lane.listener().connectFailed(request, Faults.none(blame, code, text));
  }

  /** Answers a connect request. */
  void dialed(TcpDial dial, Optional<TcpChannel> channel, Fault fault) {
    dials.remove(dial);
    if (channel.isPresent()) {
      lane.up(dial.request(), channel.get());
    } else {
      lane.listener().connectFailed(dial.request(), fault);
    }
  }

  /** One stream of several could not be had: the link does without. */
  void fewer(ConnectRequest request, int stream, Fault fault) {
    log.debug(
        "lane {}: {} without stream {}: {}", lane.number(), request.id(), stream, fault.text());
  }

  /** Ends those whose time has passed; answers how many. */
  int expire(long now) {
    int count = 0;
    for (var dial : List.copyOf(dials)) {
      if (dial.deadline() - now <= 0) {
        dial.expire();
        count++;
      } else {
        lane.arm(dial.deadline());
      }
    }
    return count;
  }

  /** A rail can carry nothing: what is being opened from it ends. */
  void railLost(int rail, Fault fault) {
    for (var dial : List.copyOf(dials)) {
      if (dial.request().local().index() == rail) {
        dial.fail(fault);
      }
    }
  }

  /** Ends all. */
  void close(Fault cause) {
    List.copyOf(dials).forEach(dial -> dial.fail(cause));
  }

  private TcpSettings settings() {
    return lane.settings();
  }
}

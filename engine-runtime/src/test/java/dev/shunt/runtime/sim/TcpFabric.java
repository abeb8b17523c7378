package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimHost;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.tcp.TcpTransport;
import dev.shunt.transport.tcp.TcpTransportProvider;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The TCP transport over virtual wires. */
final class TcpFabric implements Fabric {
  /**
   * A stream that is closed holds no memory: nothing of it is ever quarantined. Its fences go ahead
   * of what follows them.
   */
  static final Set<Mark> MARKS =
      EnumSet.complementOf(
          EnumSet.of(
              Mark.QUARANTINE,
              Mark.OLD_LINK_FAILED,
              Mark.DEVICE_BROKEN,
              Mark.QUEUE_BROKEN,
              Mark.MADE_ANEW,
              Mark.FENCE_BY_WORD,
              Mark.UNKNOWN_EFFECT,
              Mark.LATE_WRITE,
              Mark.UNFENCED_REDO));

  private static final int PORT = 9000;

  private final Cluster cluster;
  private final NetTroubles net;
  private final Map<SimHost, SimLinks> links = new LinkedHashMap<>();

  TcpFabric(Cluster cluster) {
    this.cluster = cluster;
    net = new NetTroubles(cluster);
  }

  /** Small sizes and short times, so that a short story meets each bound. */
  static Map<String, Object> settings() {
    var values = new LinkedHashMap<String, Object>();
    values.put("lanes", 2);
    values.put("slice-size", "512 B");
    values.put("max-slice", "4 KiB");
    values.put("depth", 8);
    values.put("copy-limit", "256 B");
    values.put("buffer-size", "2 KiB");
    values.put("streams", 2);
    values.put("merge-limit", "1 KiB");
    values.put("turn-bytes", "4 KiB");
    values.put("keep-alive-interval", "700 ms");
    values.put("keep-alive-timeout", "500 ms");
    values.put("handshake-timeout", "300 ms");
    values.put("inbound-progress-timeout", "1500 ms");
    values.put("max-inbound-streams", 24);
    values.put("max-peer-streams", 12);
    values.put("max-handshakes", 8);
    values.put("rail-error-threshold", 2);
    values.put("rail-error-window", "3 s");
    values.put("rail-cooldown", "500 ms");
    values.put("rail-max-cooldown", "4 s");
    values.put("window-bytes", "12 KiB");
    values.put("window-slices", 20);
    values.put("stall-limit", "400 ms");
    return values;
  }

  @Override
  public String id() {
    return "tcp";
  }

  /** A process listens where the one before it did, or elsewhere. */
  @Override
  public Map<String, Object> config(List<String> addresses, boolean sameAgain) {
    if (!sameAgain) {
      return Map.of("rails", addresses);
    }
    return Map.of(
        "rails",
        addresses.stream().map(address -> Map.of("address", address, "port", PORT)).toList());
  }

  @Override
  public boolean fencesByItself() {
    return true;
  }

  @Override
  public TransportProvider provider(SimNode node) {
    var hosts = links.computeIfAbsent(node.host(), host -> new SimLinks(cluster, host));
    hosts.starts();
    return new TcpTransportProvider(hosts);
  }

  @Override
  public List<Trouble> troubles() {
    var all = new ArrayList<>(net.all());
    all.add(this::standStill);
    return all;
  }

  /** A responder reads no more of what came by one rail. */
  private void standStill(Dice dice) {
    var node = cluster.node((int) dice.below(cluster.size()));
    if (!node.alive()) {
      return;
    }
    int rail = (int) dice.below(2);
    cluster.harm().host(node.host());
    var transport = (TcpTransport) node.transport();
    transport.holdReading(rail, true);
    cluster.after(Cluster.MILLI * dice.between(50, 2500), () -> transport.holdReading(rail, false));
  }

  /** What the kernel tells of. */
  @Override
  public List<OwnTrouble> ownTroubles() {
    return List.of(this::linkLost, this::linkLost, this::flap, this::addressLost);
  }

  private static long soon(Dice dice) {
    return dice.below(2 * Cluster.MILLI);
  }

  private void linkLost(SimNode node, int rail, Dice dice) {
    var of = links.get(node.host());
    cluster.mark(Mark.LINK_LOST);
    of.link(rail, false, soon(dice));
    long later = soon(dice);
    cluster.after(Cluster.MILLI * dice.between(20, 1500), () -> of.link(rail, true, later));
  }

  private void flap(SimNode node, int rail, Dice dice) {
    var of = links.get(node.host());
    cluster.mark(Mark.LINK_FLAPPED);
    long at = 0;
    for (long i = 2 * dice.between(2, 4); i > 0; i--) {
      boolean up = i % 2 == 1;
      long later = soon(dice);
      cluster.after(at, () -> of.link(rail, up, later));
      at += Cluster.MILLI * dice.between(1, 200);
    }
  }

  private void addressLost(SimNode node, int rail, Dice dice) {
    var of = links.get(node.host());
    cluster.mark(Mark.ADDRESS_LOST);
    of.address(rail, false, soon(dice));
    long later = soon(dice);
    cluster.after(Cluster.MILLI * dice.between(20, 1500), () -> of.address(rail, true, later));
  }

  @Override
  public boolean knowsItsRails(String transport) {
    return transport.equals("tcp");
  }

  @Override
  public void heal() {
    net.heal();
    links.values().forEach(SimLinks::heal);
  }

  @Override
  public Set<Mark> marks() {
    return MARKS;
  }
}

package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimPath;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.tcp.TcpTransport;
import dev.shunt.transport.tcp.TcpTransportProvider;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The TCP transport over virtual wires. */
final class TcpFabric implements Fabric {
  /** A stream that is closed holds no memory: nothing of it is ever quarantined. */
  static final Set<Mark> MARKS = EnumSet.complementOf(EnumSet.of(Mark.QUARANTINE));

  private final Cluster cluster;
  private final List<SimPath> touched = new ArrayList<>();

  TcpFabric(Cluster cluster) {
    this.cluster = cluster;
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
    values.put("handshake-timeout", "300 ms");
    values.put("inbound-progress-timeout", "1500 ms");
    values.put("max-inbound-streams", 16);
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

  @Override
  public Map<String, Object> config(List<String> addresses) {
    return Map.of("rails", addresses);
  }

  @Override
  public TransportProvider provider(SimNode node) {
    return new TcpTransportProvider();
  }

  @Override
  public List<Trouble> troubles() {
    return List.of(
        (c, dice) -> paths(dice, 1, 1, path -> path.hold(), 20, 900),
        (c, dice) -> paths(dice, 1, 2, path -> path.blackhole(), 50, 2500),
        (c, dice) -> paths(dice, 1, 4, path -> path.lose((int) dice.between(10, 300)), 50, 1500),
        (c, dice) ->
            paths(
                dice,
                1,
                4,
                path -> path.delay(dice.below(5_000_000), dice.below(9_000_000)),
                50,
                900),
        (c, dice) -> paths(dice, 1, 2, path -> path.corrupt((int) dice.between(1, 4)), 1, 2),
        (c, dice) -> paths(dice, 1, 2, SimPath::cut, 1, 2),
        (c, dice) -> paths(dice, 1, 2, path -> path.duplicateConnects(2), 1, 2),
        this::unplug,
        this::standStill);
  }

  private void paths(
      Dice dice, int fewest, int most, Consumer<SimPath> fault, long fromMillis, long toMillis) {
    long count = dice.between(fewest, most);
    for (int i = 0; i < count; i++) {
      var from = cluster.node((int) dice.below(cluster.size()));
      var to = cluster.other(from, dice);
      int rail = (int) dice.below(2);
      int toRail = dice.permille(700) ? rail : 1 - rail;
      var path = cluster.network().path(from.host().rail(rail), to.host().rail(toRail));
      touched.add(path);
      fault.accept(path);
      cluster.after(
          Cluster.MILLI * dice.between(fromMillis, toMillis),
          () -> {
            path.delay(20_000, 20_000);
            path.heal();
          });
    }
  }

  /** A rail of a node loses its cable. */
  private void unplug(Cluster c, Dice dice) {
    var rail = cluster.node((int) dice.below(cluster.size())).host().rail((int) dice.below(2));
    rail.unplug();
    cluster.after(Cluster.MILLI * dice.between(50, 2500), rail::plug);
  }

  /** A responder reads no more of what came by one rail. */
  private void standStill(Cluster c, Dice dice) {
    var node = cluster.node((int) dice.below(cluster.size()));
    if (!node.alive()) {
      return;
    }
    int rail = (int) dice.below(2);
    var transport = (TcpTransport) node.transport();
    transport.holdReading(rail, true);
    cluster.after(Cluster.MILLI * dice.between(50, 2500), () -> transport.holdReading(rail, false));
  }

  @Override
  public void heal() {
    for (var path : touched) {
      path.delay(20_000, 20_000);
      path.heal();
    }
    for (var host : cluster.network().hosts()) {
      host.rails().forEach(rail -> rail.plug());
    }
  }

  @Override
  public Set<Mark> marks() {
    return MARKS;
  }
}

package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimHost;
import dev.shunt.api.sim.SimPath;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What goes wrong on virtual wires, whoever uses them. */
final class NetTroubles {
  private static final long LATENCY = 20_000;

  /** Which of {@link #all} changes bytes on their way. */
  private static final int DAMAGE = 4;

  private final Cluster cluster;
  private final List<SimPath> touched = new ArrayList<>();

  NetTroubles(Cluster cluster) {
    this.cluster = cluster;
  }

  List<Trouble> all() {
    return List.of(
        dice -> paths(dice, 1, 1, SimPath::hold, 20, 900),
        dice -> paths(dice, 1, 2, SimPath::blackhole, 50, 2500),
        dice -> paths(dice, 1, 4, path -> path.lose((int) dice.between(10, 300)), 50, 1500),
        dice -> paths(dice, 1, 4, path -> slow(path, dice), 50, 900),
        dice -> paths(dice, 1, 2, path -> path.corrupt((int) dice.between(1, 4)), 1, 2),
        dice -> paths(dice, 1, 2, SimPath::cut, 1, 2),
        dice -> paths(dice, 1, 2, path -> path.duplicateConnects(2), 1, 2),
        this::unplug);
  }

  /** All but damage: for what travels without a checksum of its own. */
  List<Trouble> withoutDamage() {
    var some = new ArrayList<>(all());
    some.remove(DAMAGE);
    return some;
  }

  private static void slow(SimPath path, Dice dice) {
    path.delay(dice.below(5_000_000), dice.below(9_000_000));
  }

  private void paths(
      Dice dice, int fewest, int most, Consumer<SimPath> fault, long fromMillis, long toMillis) {
    var hosts = cluster.network().hosts();
    long count = dice.between(fewest, most);
    for (int i = 0; i < count; i++) {
      int from = (int) dice.below(hosts.size());
      int to = (from + 1 + (int) dice.below(hosts.size() - 1)) % hosts.size();
      int rail = (int) dice.below(2);
      int toRail = dice.permille(700) ? rail : 1 - rail;
      var path = cluster.network().path(hosts.get(from).rail(rail), hosts.get(to).rail(toRail));
      touched.add(path);
      cluster.harm().path(hosts.get(from), rail, hosts.get(to), toRail);
      fault.accept(path);
      cluster.after(
          Cluster.MILLI * dice.between(fromMillis, toMillis),
          () -> {
            path.delay(LATENCY, LATENCY);
            path.heal();
          });
    }
  }

  /** Nothing gets from one host to another for a time. */
  void silence(SimHost from, SimHost to, long nanos) {
    for (var rail : from.rails()) {
      for (var other : to.rails()) {
        var path = cluster.network().path(rail, other);
        touched.add(path);
        cluster.harm().path(from, from.rails().indexOf(rail), to, to.rails().indexOf(other));
        path.blackhole();
        cluster.after(nanos, path::heal);
      }
    }
  }

  /** A rail of a host loses its cable. */
  private void unplug(Dice dice) {
    var hosts = cluster.network().hosts();
    var host = hosts.get((int) dice.below(hosts.size()));
    int number = (int) dice.below(2);
    var rail = host.rail(number);
    cluster.harm().around(host, number, hosts);
    rail.unplug();
    cluster.after(Cluster.MILLI * dice.between(50, 2500), rail::plug);
  }

  void heal() {
    for (var path : touched) {
      path.delay(LATENCY, LATENCY);
      path.heal();
    }
    for (var host : cluster.network().hosts()) {
      host.rails().forEach(rail -> rail.plug());
    }
  }
}

package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimProcess;
import java.util.function.Consumer;

/** What goes wrong, as the seed has it. */
final class Fate {
  private final Cluster cluster;
  private final Dice dice;
  private final Theme theme;
  private final int victim;
  private int faults;
  private int waiting;

  /** Most stories have all of it; some have one kind, so that it shows who is charged for it. */
  private enum Theme {
    ALL,
    OWN,
    STILL,
    WAYS
  }

  Fate(Cluster cluster) {
    this.cluster = cluster;
    dice = cluster.world().dice("fate");
    victim = (int) dice.below(cluster.size());
    long which = dice.below(10);
    boolean own = !cluster.fabric().ownTroubles().isEmpty();
    theme =
        which == 0 && own
            ? Theme.OWN
            : which == 1 ? Theme.STILL : which == 2 ? Theme.WAYS : Theme.ALL;
  }

  Dice dice() {
    return dice;
  }

  /** How much went wrong. */
  int faults() {
    return faults;
  }

  /** Whether all processes run, or may run. */
  boolean over() {
    return waiting == 0;
  }

  /** Something goes wrong. */
  void strike() {
    faults++;
    switch (theme) {
      case ALL -> any();
      case OWN -> own(victim());
      case STILL -> still(victim());
      case WAYS -> ways();
    }
  }

  private void any() {
    long what = dice.below(100);
    if (what < 13) {
      freeze(anyone());
    } else if (what < 29) {
      restart();
    } else if (what < 39) {
      still(node());
    } else if (what < 42) {
      clock(node());
    } else if (what < 47) {
      drain(node(), (int) dice.below(2));
    } else if (what < 60 && !cluster.fabric().ownTroubles().isEmpty()) {
      own(node());
    } else {
      ways();
    }
  }

  private SimNode node() {
    return cluster.node((int) dice.below(cluster.size()));
  }

  /** The same one each time. */
  private SimNode victim() {
    return cluster.node(victim);
  }

  private Place anyone() {
    var everyone = cluster.everyone();
    return everyone.get((int) dice.below(everyone.size()));
  }

  private void ways() {
    var troubles = cluster.fabric().troubles();
    int which = (int) dice.below(troubles.size());
    cluster.say("trouble " + which);
    troubles.get(which).begin(dice);
  }

  /** A rail of a node's own breaks, and the node knows. */
  private void own(SimNode node) {
    var troubles = cluster.fabric().ownTroubles();
    if (troubles.isEmpty()) {
      return;
    }
    int which = (int) dice.below(troubles.size());
    int rail = (int) dice.below(2);
    cluster.say("trouble " + which + " of " + node + "'s rail " + rail);
    cluster.harm().rail(node.host(), rail);
    troubles.get(which).begin(node, rail, dice);
  }

  /** A process stands still, or a part of it. */
  private void still(SimNode node) {
    switch ((int) dice.below(3)) {
      case 0 -> freeze(node);
      case 1 -> part(node, Mark.CONTROL_STOOD_STILL, node::holdControl);
      default -> part(node, Mark.DATA_STOOD_STILL, node::holdData);
    }
  }

  private void part(SimNode node, Mark mark, Consumer<Boolean> hold) {
    if (!node.alive() || node.dataStandsStill() || node.controlStandsStill()) {
      return;
    }
    cluster.mark(mark);
    cluster.say(node + ": " + mark);
    cluster.harm().host(node.host());
    var process = node.process();
    hold.accept(true);
    waiting++;
    cluster.after(
        Cluster.MILLI * dice.between(1, 1500),
        () -> {
          waiting--;
          if (node.process() == process && node.alive()) {
            cluster.say(node + " goes on");
            hold.accept(false);
          }
        });
  }

  /** An operator takes a rail out of use for a time; or brings one back that nobody took. */
  private void drain(SimNode node, int rail) {
    if (!node.ready() || !node.hears(rail)) {
      return;
    }
    var process = node.process();
    cluster.say(node + "'s rail " + rail + " is drained");
    // Its peers see nothing but a rail that goes.
    cluster.harm().rail(node.host(), rail);
    if (dice.below(4) > 0) {
      node.drain(rail);
    }
    cluster.after(
        Cluster.MILLI * dice.between(1, 1200),
        () -> {
          if (node.process() == process && node.ready()) {
            cluster.say(node + "'s rail " + rail + " is restored");
            node.restore(rail);
          }
        });
  }

  private void clock(SimNode node) {
    cluster.mark(Mark.CLOCK_JUMPED);
    node.setClock(3_600_000L * (dice.below(2) == 0 ? 1 : -1));
  }

  private void freeze(Place place) {
    boolean partly =
        place instanceof SimNode node && (node.controlStandsStill() || node.dataStandsStill());
    if (!place.alive() || place.frozen() || partly) {
      return;
    }
    cluster.say(place + " freezes");
    cluster.harm().host(place.host());
    place.freeze();
    waiting++;
    cluster.after(
        Cluster.MILLI * dice.between(1, 1500),
        () -> {
          waiting--;
          for (var deal : cluster.story().open()) {
            if (deal.from == place && !deal.done() && deal.deadline < cluster.world().now()) {
              cluster.mark(Mark.FROZEN_PAST_A_DEADLINE);
            }
          }
          cluster.say(place + " thaws");
          place.thaw();
        });
  }

  private void restart() {
    var place = anyone();
    if (!place.alive() || place.frozen()) {
      return;
    }
    boolean power = dice.below(4) == 0;
    var death = power ? SimProcess.Death.VANISHED : SimProcess.Death.KILLED;
    cluster.harm().host(place.host());
    cluster.say(place + " dies" + (power ? ", its host without power" : ""));
    if (power) {
      cluster.mark(Mark.HOST_WITHOUT_POWER);
    }
    waiting++;
    Runnable start =
        switch (place) {
          case SimNode node -> killed(node, death);
          case SimTarget target -> killed(target, death);
          case TentPlace peer -> killed(peer, death);
          default -> throw new IllegalStateException("what is " + place);
        };
    cluster.after(
        Cluster.MILLI * dice.between(2, 500),
        () -> {
          waiting--;
          cluster.say(place + " starts again");
          start.run();
        });
  }

  private Runnable killed(SimNode node, SimProcess.Death death) {
    cluster.story().died(node);
    node.die(death);
    int newest = (int) dice.between(1, 2);
    var before = node.side();
    var side = cluster.sides().of(node.index() + (int) (dice.below(4) / 3));
    if (dice.below(3) == 0 && cluster.fabric().fencesByItself()) {
      side = side.with(Feature.FENCE, 1 - side.level(Feature.FENCE));
    }
    var next = side;
    boolean sameAgain = dice.below(2) == 0;
    if (newest == 1 || !next.equals(before)) {
      cluster.mark(Mark.RESTARTED_WITH_OTHER_CAPABILITIES);
    }
    return () -> node.start(newest, next, sameAgain);
  }

  private static Runnable killed(TentPlace peer, SimProcess.Death death) {
    peer.die(death);
    return peer::start;
  }

  private static Runnable killed(SimTarget target, SimProcess.Death death) {
    target.die(death);
    return target::start;
  }
}

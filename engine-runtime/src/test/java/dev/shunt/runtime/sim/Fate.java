package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimProcess;

/** What goes wrong, as the seed has it. */
final class Fate {
  private final Cluster cluster;
  private final Dice dice;
  private int faults;
  private int waiting;

  Fate(Cluster cluster) {
    this.cluster = cluster;
    dice = cluster.world().dice("fate");
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
    long what = dice.below(100);
    if (what < 18) {
      freeze();
    } else if (what < 36) {
      restart();
    } else {
      var troubles = cluster.fabric().troubles();
      int which = (int) dice.below(troubles.size());
      cluster.say("trouble " + which);
      troubles.get(which).begin(dice);
    }
  }

  private Place anyone() {
    var everyone = cluster.everyone();
    return everyone.get((int) dice.below(everyone.size()));
  }

  private void freeze() {
    var place = anyone();
    if (!place.alive() || place.frozen()) {
      return;
    }
    cluster.say(place + " freezes");
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

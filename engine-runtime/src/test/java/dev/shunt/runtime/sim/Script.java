package dev.shunt.runtime.sim;

import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A seed's whole story: acts and faults for a time, then peace, and the reckoning. */
final class Script {
  private static final long LENGTH = 2 * Cluster.SECOND;
  private static final int FEWEST_SLICES = 200;
  private static final int FEWEST_FAULTS = 5;

  private final Cluster cluster;
  private final Story story;
  private final Acts acts;
  private final Fate fate;
  private final List<Deal> life = new ArrayList<>();

  Script(Cluster cluster) {
    this.cluster = cluster;
    this.story = cluster.story();
    acts = new Acts(cluster);
    fate = new Fate(cluster);
  }

  int faults() {
    return fate.faults();
  }

  /** Plays it to its end. */
  void play() {
    cluster.start();
    var dice = cluster.world().dice("script");
    long doings = 30 + dice.below(20);
    for (int i = 0; i < doings; i++) {
      cluster.after(dice.below(LENGTH), acts::act);
    }
    long strikes = FEWEST_FAULTS + fate.dice().below(5);
    for (int i = 0; i < strikes; i++) {
      cluster.after(fate.dice().below(LENGTH - 200 * Cluster.MILLI), fate::strike);
    }
    cluster.world().run(LENGTH);
    heal();
    fill();
    restore();
    settle();
    proveLife();
    story.checkHistory();
    new Reckoning(cluster).balance();
  }

  private void heal() {
    cluster.say("all is mended");
    if (!cluster.until(fate::over, 5 * Cluster.SECOND)) {
      throw new AssertionError("a node does not come back");
    }
    cluster.fabric().heal();
  }

  /** An operator brings back what waits for one; the rest comes back by itself. */
  private void restore() {
    for (int i = 0; i < 10; i++) {
      boolean all = i > 3;
      cluster.nodes().forEach(node -> node.restore(all));
      if (cluster.until(
          () -> cluster.nodes().stream().allMatch(SimNode::allRailsActive), Cluster.SECOND)) {
        return;
      }
    }
    throw new AssertionError("a rail does not come back");
  }

  private void fill() {
    long until = cluster.world().now() + 20 * Cluster.SECOND;
    while (cluster.slices() < FEWEST_SLICES) {
      if (cluster.world().now() > until) {
        throw new AssertionError("only " + cluster.slices() + " slices went out");
      }
      acts.act();
      cluster.world().run(20 * Cluster.MILLI);
    }
  }

  private void settle() {
    if (!cluster.until(story::quiet, 30 * Cluster.SECOND)) {
      throw new AssertionError("these never settle: " + story.open());
    }
  }

  /** Every node reaches all that it could reach again. */
  private void proveLife() {
    long until = cluster.world().now() + 20 * Cluster.SECOND;
    while (!story.openings().allOpen() || !cluster.nodes().stream().allMatch(SimNode::ready)) {
      if (cluster.world().now() > until) {
        throw new AssertionError("not all nodes find one another again");
      }
      cluster.nodes().forEach(acts::reopen);
      cluster.until(story::quiet, 3 * Cluster.SECOND);
      cluster.world().run(50 * Cluster.MILLI);
    }
    for (var from : cluster.nodes()) {
      for (var to : cluster.places()) {
        if (from != to) {
          write(from, to);
        }
      }
    }
    settle();
    // Where nothing is fenced, a write that was sent into a dead connection ends there.
    for (int i = 0; i < unknowns() && !failed().isEmpty(); i++) {
      for (var deal : failed()) {
        life.remove(deal);
        write(deal.from, deal.pieces.getFirst().to);
      }
      settle();
      // What was silent is known to answer again after the next probe.
      cluster.world().run(200 * Cluster.MILLI);
    }
    for (var deal : failed()) {
      throw new AssertionError(deal + ", after all was mended: " + deal.outcomes[0]);
    }
  }

  private int unknowns() {
    var sides = cluster.sides();
    boolean redoes =
        !sides.lack(Feature.FAILOVER) && !(sides.lack(Feature.UNFENCED) && sides.plainWays());
    return Math.max(cluster.fabric().unknowns(), redoes && !silent() ? 0 : 5);
  }

  /** Whether some are not asked because they were silent until just now. */
  private boolean silent() {
    return failed().stream()
        .map(deal -> deal.outcomes[0])
        .anyMatch(
            outcome ->
                outcome instanceof Outcome.Error(var failure)
                    && failure.code() == FailureCode.UNREACHABLE
                    && failure.attempts().isEmpty());
  }

  private List<Deal> failed() {
    return life.stream().filter(deal -> !deal.completed()).toList();
  }

  private void write(SimNode from, Place to) {
    int at = Ground.SHARED + 3072 * from.index();
    var piece = acts.make(Piece.Kind.GOOD, true, from, to, at, 1536);
    life.add(
        story.submit(from, List.of(piece), Duration.ofSeconds(20), cluster.fabric().notifies()));
  }
}

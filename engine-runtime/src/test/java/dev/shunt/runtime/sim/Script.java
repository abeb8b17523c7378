package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.runtime.memory.RegisteredBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The seed's story: who does what, when, and what goes wrong. */
final class Script {
  private static final long LENGTH = 2 * Cluster.SECOND;
  private static final int FEWEST_SLICES = 200;
  private static final int FEWEST_FAULTS = 5;

  private final Cluster cluster;
  private final Story story;
  private final Dice dice;
  private final Dice fate;
  private int faults;
  private int waiting;

  Script(Cluster cluster) {
    this.cluster = cluster;
    this.story = cluster.story();
    dice = cluster.world().dice("script");
    fate = cluster.world().dice("fate");
    story.whenEnded(this::ended);
  }

  int faults() {
    return faults;
  }

  /** Plays it to its end. */
  void play() {
    cluster.start();
    long start = cluster.world().now();
    long acts = 30 + dice.below(20);
    for (int i = 0; i < acts; i++) {
      cluster.after(dice.below(LENGTH), this::act);
    }
    long troubles = FEWEST_FAULTS + fate.below(5);
    for (int i = 0; i < troubles; i++) {
      cluster.after(fate.below(LENGTH - 200 * Cluster.MILLI), this::trouble);
    }
    cluster.world().run(LENGTH);
    heal();
    long until = cluster.world().now() + 20 * Cluster.SECOND;
    while (cluster.slices() < FEWEST_SLICES) {
      if (cluster.world().now() > until) {
        throw new AssertionError("only " + cluster.slices() + " slices went out");
      }
      act();
      cluster.world().run(20 * Cluster.MILLI);
    }
    settle();
    proveLife();
    close();
    cluster.say("it took " + (cluster.world().now() - start) / Cluster.MILLI + " ms");
  }

  // ---- what applications do

  private void act() {
    var node = cluster.node((int) dice.below(cluster.size()));
    if (!node.ready() || node.frozen()) {
      return;
    }
    reopen(node);
    long what = dice.below(100);
    if (what < 78) {
      batch(node);
    } else if (what < 86) {
      cancelOne(node);
    } else if (what < 92) {
      mail(node);
    } else {
      swing(node);
    }
  }

  private void reopen(SimNode from) {
    for (var to : cluster.nodes()) {
      if (to != from && !story.opening(from, to)) {
        boolean old = from.handleAges[to.index()] != to.registered();
        if (!Story.isOpen(from, to) || (old && dice.below(2) == 0)) {
          story.open(from, to);
        }
      }
    }
  }

  private void batch(SimNode from) {
    int size = (int) (dice.below(10) == 0 ? dice.between(6, 20) : dice.between(1, 5));
    var pieces = new ArrayList<Piece>();
    for (int i = 0; i < size; i++) {
      var to = cluster.other(from, dice);
      if (from.handles[to.index()] != null) {
        var piece = piece(from, to, pieces);
        if (piece != null) {
          pieces.add(piece);
        }
      }
    }
    submit(from, pieces);
  }

  private void submit(SimNode from, List<Piece> pieces) {
    long millis = dice.below(4) == 0 ? dice.between(1, 40) : dice.between(100, 4000);
    long bytes = pieces.stream().mapToLong(piece -> piece.length).sum();
    if (bytes > 12 << 10) {
      cluster.mark(Mark.BATCH_LARGER_THAN_WINDOW);
    }
    story.submit(from, pieces, Duration.ofMillis(millis), dice.below(6) == 0);
  }

  private Piece piece(SimNode from, SimNode to, List<Piece> besides) {
    long what = dice.below(100);
    if (what < 3) {
      return make(Piece.Kind.EMPTY, true, from, to, Ground.SHARED, 0);
    }
    if (what < 6) {
      return make(Piece.Kind.WRONG, true, from, to, Ground.GUARDED, 64);
    }
    if (what < 9) {
      return make(Piece.Kind.WRONG, false, from, to, Ground.REACHED - 8, 64);
    }
    boolean write = dice.below(100) < 65;
    int length = (int) (dice.below(3) == 0 ? dice.between(1, 300) : dice.between(300, 4000));
    int at;
    if (dice.below(6) == 0) {
      length = Math.min(length, 2000);
      at = Ground.SWING + (int) dice.below(Ground.SWING_LENGTH - length);
    } else {
      at = (int) dice.below((write ? Ground.SHARED_LENGTH : Ground.REACHED) - length);
      // A read of more than one buffer is wrong, and has its turn elsewhere.
      if (!write && at + length > Ground.SWING) {
        at = Math.max(Ground.SHARED, Ground.SHARED_LENGTH - length);
      }
    }
    if (write && !mayWrite(to, at, length, besides)) {
      return null;
    }
    return make(Piece.Kind.GOOD, write, from, to, at, length);
  }

  /** What two writes leave behind that are open at once is anybody's guess. */
  private static boolean mayWrite(SimNode to, int at, int length, List<Piece> besides) {
    for (var piece : besides) {
      if (piece.to == to && piece.overlaps(at, length)) {
        return false;
      }
    }
    return to.ground().quiet(at, length);
  }

  private Piece make(Piece.Kind kind, boolean write, SimNode from, SimNode to, int at, int length) {
    int local = from.ground().take(length, (int) dice.below(64));
    if (local < 0) {
      return null;
    }
    long generation = from.handles[to.index()].generation();
    return new Piece(kind, write, from, to, generation, at, length, local);
  }

  /** Newer data over what was just completed: what comes late of the old must not be seen. */
  private void ended(Deal deal) {
    if (!deal.from.ready() || deal.from.frozen() || dice.below(3) > 0) {
      return;
    }
    for (var piece : deal.pieces) {
      if (piece.write
          && piece.kind == Piece.Kind.GOOD
          && piece.targetLives()
          && deal.from.handles[piece.to.index()] != null
          && mayWrite(piece.to, piece.at, piece.length, List.of())) {
        int at = piece.at;
        int length = piece.length;
        cluster.after(dice.below(50_000), () -> rewrite(deal.from, piece.to, at, length));
        return;
      }
    }
  }

  private void rewrite(SimNode from, SimNode to, int at, int length) {
    if (!from.ready()
        || from.frozen()
        || from.handles[to.index()] == null
        || !mayWrite(to, at, length, List.of())) {
      return;
    }
    var piece = make(Piece.Kind.GOOD, true, from, to, at, length);
    if (piece != null) {
      cluster.mark(Mark.REWRITE_AFTER_COMPLETED);
      submit(from, List.of(piece));
    }
  }

  private void cancelOne(SimNode node) {
    for (var deal : story.open()) {
      if (deal.from == node && !deal.done()) {
        cluster.say("cancel " + deal);
        deal.transfer.cancel();
        return;
      }
    }
    batch(node);
    // Soon enough that slices are on the wire.
    cluster.after(
        dice.below(40_000),
        () -> {
          if (node.ready() && !node.frozen()) {
            for (var deal : story.open()) {
              if (deal.from == node && !deal.done()) {
                cluster.say("cancel " + deal);
                deal.transfer.cancel();
              }
            }
          }
        });
  }

  private void mail(SimNode from) {
    long count = dice.between(1, 4);
    for (int i = 0; i < count; i++) {
      var to = cluster.other(from, dice);
      if (from.handles[to.index()] != null) {
        story.send(from, to);
      }
    }
  }

  /** Registers a buffer anew, under another key. */
  private void swing(SimNode node) {
    var buffer = node.swing();
    if (buffer == null) {
      return;
    }
    node.swing(null);
    boolean whenHeld = dice.below(2) == 0;
    if (whenHeld) {
      rewrite(cluster.other(node, dice), node, Ground.SWING, 4000);
    }
    unregister(node, node.process(), buffer, whenHeld ? 1000 : 0);
  }

  /** Now, or rather at a moment when something holds it. */
  private void unregister(SimNode node, SimProcess process, RegisteredBuffer buffer, int patience) {
    if (node.process() != process || !node.alive()) {
      return;
    }
    if (buffer.holders() == 0 && patience > 0) {
      cluster.after(1_000, () -> unregister(node, process, buffer, patience - 1));
      return;
    }
    cluster.say(node + " unregisters");
    if (buffer.holders() > 0) {
      cluster.mark(Mark.UNREGISTER_WAITED);
    }
    buffer.close().whenComplete((nothing, failure) -> swung(node, process, buffer, failure));
  }

  private void swung(SimNode node, SimProcess process, RegisteredBuffer buffer, Throwable failure) {
    if (failure != null || buffer.holders() > 0) {
      cluster.broken(node + ": unregistering ended with " + failure + ", " + buffer.holders());
    }
    if (node.process() != process || !node.alive()) {
      return;
    }
    if (node.guard().holds(Ground.SWING, Ground.SWING_LENGTH)) {
      cluster.broken(node + ": memory was given back while a peer's request holds it");
    }
    int changed = node.ground().changed(Ground.SWING, Ground.SWING_LENGTH);
    if (changed >= 0) {
      cluster.broken(node + ": byte " + changed + " is " + node.ground().at(changed));
    }
    cluster.say(node + " registers anew");
    node.ground().clean(Ground.SWING, Ground.SWING_LENGTH, cluster.nextVersion());
    node.registerSwing();
  }

  // ---- what goes wrong

  private void trouble() {
    faults++;
    long what = fate.below(100);
    var node = cluster.node((int) fate.below(cluster.size()));
    if (what < 18) {
      freeze(node);
    } else if (what < 36) {
      restart(node);
    } else {
      var troubles = cluster.fabric().troubles();
      int which = (int) fate.below(troubles.size());
      cluster.say("trouble " + which);
      troubles.get(which).begin(fate);
    }
  }

  private void freeze(SimNode node) {
    if (!node.alive() || node.frozen()) {
      return;
    }
    cluster.say(node + " freezes");
    node.freeze();
    waiting++;
    cluster.after(
        Cluster.MILLI * fate.between(1, 1500),
        () -> {
          waiting--;
          for (var deal : story.open()) {
            if (deal.from == node && !deal.done() && deal.deadline < cluster.world().now()) {
              cluster.mark(Mark.FROZEN_PAST_A_DEADLINE);
            }
          }
          cluster.say(node + " thaws");
          node.thaw();
        });
  }

  private void restart(SimNode node) {
    if (!node.alive() || node.frozen()) {
      return;
    }
    boolean power = fate.below(4) == 0;
    cluster.say(node + " dies" + (power ? ", its host without power" : ""));
    story.died(node);
    node.die(power ? SimProcess.Death.VANISHED : SimProcess.Death.KILLED);
    if (power) {
      cluster.mark(Mark.HOST_WITHOUT_POWER);
    }
    waiting++;
    int newest = (int) fate.between(1, 2);
    boolean fences = fate.below(3) > 0 || !cluster.fabric().fencesByItself();
    boolean sameAgain = fate.below(2) == 0;
    if (newest == 1 || !fences) {
      cluster.mark(Mark.RESTARTED_WITH_OTHER_CAPABILITIES);
    }
    cluster.after(
        Cluster.MILLI * fate.between(2, 500),
        () -> {
          waiting--;
          cluster.say(node + " starts again");
          node.start(newest, fences, sameAgain);
        });
  }

  // ---- the end

  private void heal() {
    cluster.say("all is mended");
    if (!cluster.until(() -> waiting == 0, 5 * Cluster.SECOND)) {
      throw new AssertionError("a node does not come back");
    }
    cluster.fabric().heal();
  }

  private void settle() {
    if (!cluster.until(story::quiet, 30 * Cluster.SECOND)) {
      throw new AssertionError("these never settle: " + story.open());
    }
  }

  /** Every node reaches every other one again. */
  private void proveLife() {
    long until = cluster.world().now() + 20 * Cluster.SECOND;
    while (!story.allOpen() || !cluster.nodes().stream().allMatch(SimNode::ready)) {
      if (cluster.world().now() > until) {
        throw new AssertionError("not all nodes find one another again");
      }
      cluster.nodes().forEach(this::reopen);
      cluster.until(story::quiet, 3 * Cluster.SECOND);
      cluster.world().run(50 * Cluster.MILLI);
    }
    var life = new ArrayList<Deal>();
    for (var from : cluster.nodes()) {
      for (var to : cluster.nodes()) {
        if (from != to) {
          int at = Ground.SHARED + 3000 * from.index();
          var write = make(Piece.Kind.GOOD, true, from, to, at, 1500);
          life.add(story.submit(from, List.of(write), Duration.ofSeconds(20), true));
        }
      }
    }
    if (!cluster.until(story::quiet, 25 * Cluster.SECOND)) {
      throw new AssertionError("these never settle: " + story.open());
    }
    for (var deal : life) {
      if (!deal.completed()) {
        throw new AssertionError(deal + ", after all was mended: " + deal.outcomes[0]);
      }
    }
  }

  private void close() {
    story.checkHistory();
    new Reckoning(cluster).balance();
  }
}

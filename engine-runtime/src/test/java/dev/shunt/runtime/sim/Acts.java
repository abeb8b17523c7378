package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.runtime.memory.RegisteredBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What applications do on the nodes, as the seed has it. */
final class Acts {
  private static final int WINDOW = 12 << 10;

  private final Cluster cluster;
  private final Story story;
  private final Dice dice;

  Acts(Cluster cluster) {
    this.cluster = cluster;
    this.story = cluster.story();
    dice = cluster.world().dice("acts");
    story.whenEnded(this::ended);
  }

  /** Somebody does something. */
  void act() {
    var node = cluster.node((int) dice.below(cluster.size()));
    if (!node.ready() || node.dataStandsStill()) {
      return;
    }
    reopen(node);
    long what = dice.below(100);
    if (what < 78) {
      batch(node);
    } else if (what < 86) {
      cancelOne(node);
    } else if (what < 92 && cluster.fabric().notifies()) {
      mail(node);
    } else {
      swing(node);
    }
  }

  /** Opens what is not open, or, now and then, what is open under an old key. */
  void reopen(SimNode from) {
    for (var to : cluster.places()) {
      if (to != from && !story.openings().opening(from, to)) {
        boolean old = from.handleAges[to.index()] != to.registered();
        if (!Openings.isOpen(from, to) || (old && dice.below(2) == 0)) {
          story.openings().open(from, to);
        }
      }
    }
  }

  private void batch(SimNode from) {
    int size = (int) (dice.below(10) == 0 ? dice.between(6, 20) : dice.between(1, 5));
    var pieces = new ArrayList<Piece>();
    for (int i = 0; i < size; i++) {
      var to = cluster.place(from, dice);
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
    if (bytes > WINDOW) {
      cluster.mark(Mark.BATCH_LARGER_THAN_WINDOW);
    }
    boolean notifies = cluster.fabric().notifies() && dice.below(6) == 0;
    story.submit(from, pieces, Duration.ofMillis(millis), notifies);
  }

  private Piece piece(SimNode from, Place to, List<Piece> besides) {
    long what = dice.below(100);
    if (what < 3) {
      return make(Piece.Kind.EMPTY, true, from, to, Ground.SHARED, 0);
    }
    if (what < 6 && to.buffers() > 1) {
      return make(Piece.Kind.WRONG, true, from, to, Ground.GUARDED, 64);
    }
    if (what < 9) {
      return make(Piece.Kind.WRONG, false, from, to, Ground.REACHED - 8, 64);
    }
    boolean write = dice.below(100) < 65;
    int block = to.block();
    int length = (int) (dice.below(3) == 0 ? dice.between(1, 300) : dice.between(300, 4000));
    int at;
    if (dice.below(6) == 0) {
      length = whole(Math.min(length, 2000), block);
      at = Ground.SWING + (int) dice.below(Ground.SWING_LENGTH - length);
    } else {
      length = whole(length, block);
      at = (int) dice.below((write ? Ground.SHARED_LENGTH : Ground.REACHED) - length);
      // A request across two buffers is wrong, and has its turn elsewhere.
      if (!write && at + length > Ground.SWING) {
        at = Math.max(Ground.SHARED, Ground.SHARED_LENGTH - length);
      }
    }
    at = at / block * block;
    if (write && !mayWrite(to, at, length, besides)) {
      return null;
    }
    return make(Piece.Kind.GOOD, write, from, to, at, length);
  }

  private static int whole(int length, int block) {
    return (length + block - 1) / block * block;
  }

  /** What two writes leave behind that are open at once is anybody's guess. */
  private static boolean mayWrite(Place to, int at, int length, List<Piece> besides) {
    for (var piece : besides) {
      if (piece.to == to && piece.overlaps(at, length)) {
        return false;
      }
    }
    return to.ground().quiet(at, length);
  }

  /** A request; null if there is no local memory for it. */
  Piece make(Piece.Kind kind, boolean write, SimNode from, Place to, int at, int length) {
    int local = from.ground().take(length, (int) dice.below(64));
    if (local < 0) {
      return null;
    }
    long generation = from.handles[to.index()].generation();
    return new Piece(kind, write, from, to, generation, at, length, local);
  }

  /** Newer data over what was just completed: what comes late of the old must not be seen. */
  private void ended(Deal deal) {
    if (!deal.from.ready() || deal.from.dataStandsStill() || dice.below(3) > 0) {
      return;
    }
    for (var piece : deal.pieces) {
      if (piece.write && piece.kind == Piece.Kind.GOOD && piece.targetLives()) {
        int at = piece.at;
        int length = piece.length;
        cluster.after(dice.below(50_000), () -> rewrite(deal.from, piece.to, at, length));
        return;
      }
    }
  }

  private void rewrite(SimNode from, Place to, int at, int length) {
    if (!from.ready()
        || from.dataStandsStill()
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
    if (!cancelFirst(node)) {
      batch(node);
      // Soon enough that slices are on the wire.
      cluster.after(dice.below(40_000), () -> cancelFirst(node));
    }
  }

  private boolean cancelFirst(SimNode node) {
    if (!node.ready() || node.dataStandsStill()) {
      return false;
    }
    for (var deal : story.open()) {
      if (deal.from == node && !deal.done()) {
        cluster.say("cancel " + deal);
        deal.transfer.cancel();
        return true;
      }
    }
    return false;
  }

  private void mail(SimNode from) {
    long count = dice.between(1, 4);
    for (int i = 0; i < count; i++) {
      var to = cluster.other(from, dice);
      if (from.handles[to.index()] != null) {
        story.mails().send(from, to);
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
    boolean whenHeld = dice.below(2) == 0 && cluster.places().contains(node);
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
    int changed = node.changed(Ground.SWING, Ground.SWING_LENGTH);
    if (changed >= 0) {
      cluster.broken(node + ": byte " + changed + " is " + node.ground().at(changed));
    }
    cluster.say(node + " registers anew");
    node.ground().clean(Ground.SWING, Ground.SWING_LENGTH, cluster.nextVersion());
    node.registerSwing();
  }
}

package dev.shunt.runtime.sim;

import dev.shunt.api.Batch;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.ShuntException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What applications do on the nodes, and whether each thing that they are told is so. Checked after
 * every event; what is open is little, so that is cheap.
 */
final class Story {
  private final Cluster cluster;
  private final List<Deal> open = new ArrayList<>();
  private final List<Deal> ended = new ArrayList<>();
  private final List<Deal> quarantined = new ArrayList<>();
  private final List<Deal> cut = new ArrayList<>();
  private final Openings openings;
  private final Mails mails;
  private Ended whenEnded = deal -> {};
  private int deals;

  /** Hears of batches that ended. */
  interface Ended {
    void ended(Deal deal);
  }

  Story(Cluster cluster) {
    this.cluster = cluster;
    mails = new Mails(cluster, this);
    openings = new Openings(cluster, this);
  }

  void whenEnded(Ended listener) {
    whenEnded = listener;
  }

  // ---- batches

  /**
   * Submits.
   *
   * @return the batch, or null if there was no room
   */
  Deal submit(SimNode from, List<Piece> pieces, Duration within, boolean notifies) {
    var requests = new ArrayList<Request>();
    for (var piece : pieces) {
      var local = from.ground().range(piece.localAt, piece.length);
      var segment = from.handles[piece.to.index()];
      long address = piece.to.address() + piece.at;
      if (piece.write) {
        Pattern.fill(from.ground().memory(), piece.localAt, piece.length, cluster.nextVersion());
      } else {
        local.fill((byte) 0xee);
      }
      requests.add(
          piece.write
              ? Request.write(local, segment, address)
              : Request.read(local, segment, address));
    }
    int number = ++deals;
    var batch = Batch.of(requests).within(within).orBusy();
    if (notifies) {
      batch = batch.thenNotify(new Notification("batch", String.valueOf(number)));
    }
    for (var piece : pieces) {
      if (piece.kind == Piece.Kind.GOOD && piece.targetLives()) {
        piece.to.ground().begin(piece);
      }
    }
    Deal deal;
    try {
      var transfer = from.engine().submit(batch);
      deal =
          new Deal(
              number, from, pieces, transfer, cluster.world().now() + within.toNanos(), notifies);
    } catch (ShuntException busy) {
      if (busy.code() != FailureCode.BUSY) {
        throw busy;
      }
      cluster.mark(Mark.SUBMIT_BUSY);
      for (var piece : pieces) {
        piece.to.ground().end(piece);
        from.ground().give(piece.localAt, piece.length);
      }
      return null;
    }
    cluster.say("submitted " + deal + ": " + pieces + " within " + within);
    open.add(deal);
    return deal;
  }

  private void checkDeals() {
    for (int i = open.size() - 1; i >= 0; i--) {
      var deal = open.get(i);
      if (!deal.done()) {
        if (deal.transfer.done().isDone()) {
          done(deal);
        } else if (!deal.from.dataStandsStill() && late(deal.from, deal.deadline)) {
          cluster.broken(deal + " outlasts its deadline");
        }
      }
      if (deal.done() && !deal.settled && deal.transfer.settled().isDone()) {
        settled(deal);
      }
      if (deal.settled) {
        open.remove(deal);
        ended.add(deal);
      }
    }
  }

  private void done(Deal deal) {
    var result = deal.transfer.done().poll().orElseThrow();
    deal.outcomes = result.outcomes().toArray(Outcome[]::new);
    cluster.world().trace().fold(deal.number);
    for (int i = 0; i < deal.outcomes.length; i++) {
      var outcome = deal.outcomes[i];
      if (outcome == null) {
        cluster.broken(deal + " ended before its request " + i);
        return;
      }
      cluster.world().trace().fold(outcome.code().hashCode());
      if (cluster.told()) {
        cluster.say(
            deal
                + " request "
                + i
                + " "
                + outcome.code()
                + (outcome instanceof Outcome.Failed failed
                    ? " " + failed.failure().describe()
                    : ""));
      }
      ended(deal, deal.pieces.get(i), outcome);
    }
    whenEnded.ended(deal);
  }

  private void ended(Deal deal, Piece piece, Outcome outcome) {
    var ground = piece.to.ground();
    ground.end(piece);
    if (piece.kind != Piece.Kind.GOOD) {
      boolean right =
          piece.kind == Piece.Kind.WRONG
              ? outcome instanceof Outcome.Error || (piece.generation == 0 && !completed(outcome))
              : outcome instanceof Outcome.Completed || stale(outcome);
      if (!right) {
        cluster.broken(deal + ", a request that is " + piece.kind + ": " + outcome);
      }
      return;
    }
    switch (outcome) {
      case Outcome.Completed(var bytes) -> {
        if (bytes != piece.length) {
          cluster.broken(deal + ": " + piece + " completed " + bytes + " bytes");
        }
        completed(deal, piece);
      }
      case Outcome.Failed failed -> failed(piece, outcome, failed.failure());
    }
  }

  /** What a plain peer does not let others do is found out by asking it. */
  private static boolean completed(Outcome outcome) {
    return outcome instanceof Outcome.Completed;
  }

  private static boolean stale(Outcome outcome) {
    return outcome instanceof Outcome.Error(var failure)
        && failure.code() == FailureCode.STALE_GENERATION;
  }

  private void completed(Deal deal, Piece piece) {
    if (!piece.means(piece.generationThen)) {
      cluster.broken(deal + ": " + piece + " completed by a handle of an older generation");
    } else if (!piece.targetLives()) {
      cluster.say(piece + " completed at a process that is gone");
    } else if (piece.write) {
      if (!piece.to.ground().applied(piece, piece.from.ground().memory()) && !piece.disturbed) {
        cluster.broken(deal + ": " + piece + " is COMPLETED, and its bytes are not there");
      }
      if (piece.to.holdsForWriting(piece.at, piece.length)
          && !piece.to.ground().anyTainted(piece.at, piece.length)) {
        cluster.broken(deal + ": " + piece + " is COMPLETED, and a request can still change it");
      }
    } else if (!piece.to.ground().brought(piece, piece.from.ground().memory())) {
      cluster.broken(deal + ": " + piece + " is COMPLETED, and brought other bytes");
    }
  }

  private void failed(Piece piece, Outcome outcome, dev.shunt.api.Failure failure) {
    if (piece.write && failure.remoteEffect() && piece.targetLives()) {
      piece.to.ground().taint(piece);
    }
    switch (outcome) {
      case Outcome.TimedOut _ -> {
        if (failure.remoteEffect()) {
          cluster.mark(Mark.TIMED_OUT_WHILE_POSTED);
        }
      }
      case Outcome.Cancelled _ -> {
        if (failure.remoteEffect()) {
          cluster.mark(Mark.CANCELLED_WHILE_POSTED);
        }
      }
      default -> {
        if (failure.code() == FailureCode.STALE_GENERATION) {
          cluster.mark(Mark.STALE_GENERATION_OF_HANDLE);
        }
        if (failure.code() == FailureCode.UNKNOWN_EFFECT) {
          cluster.mark(Mark.UNKNOWN_EFFECT);
        }
        if (failure.code() == FailureCode.REJECTED) {
          // The handle is older than the last registration: as good as a refused key.
          cluster.mark(Mark.REFUSED_BY_RANGE_OR_KEY);
        }
      }
    }
  }

  private void settled(Deal deal) {
    deal.settled = true;
    boolean quarantine = deal.transfer.settled().poll().orElseThrow().quarantined();
    for (var piece : deal.pieces) {
      if (piece.write && !quarantine && fenced(piece)) {
        piece.to.ground().settled(piece);
      }
      if (piece.length > 0 && deal.from.guard().uses(piece.localAt, piece.length) && !quarantine) {
        cluster.broken(deal + " has settled, and a slice uses its memory");
      }
      if (!quarantine || (piece.write && !deal.from.guard().uses(piece.localAt, piece.length))) {
        deal.from.ground().give(piece.localAt, piece.length);
      }
    }
    if (quarantine) {
      cluster.mark(Mark.QUARANTINE);
      quarantined.add(deal);
    }
  }

  /** Whether a write that ended has settled only when its old attempts were fenced. */
  private boolean fenced(Piece piece) {
    return piece.to instanceof SimNode to
        && !cluster.sides().plainWays()
        && to.side().has(Feature.FENCE)
        && piece.from.side().has(Feature.FENCE);
  }

  /** Whether some read that has not settled may change local memory. */
  boolean expects(SimNode node, int at, int length) {
    return expects(open, node, at, length) || expects(quarantined, node, at, length);
  }

  private static boolean expects(List<Deal> deals, SimNode node, int at, int length) {
    for (var deal : deals) {
      if (deal.from == node && deal.generation == node.generation()) {
        for (var piece : deal.pieces) {
          if (!piece.write && piece.localAt <= at && at + length <= piece.localAt + piece.length) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Whether a write that is over was meant to change that memory of that process. */
  boolean meant(SimNode node, int at, int length) {
    return meant(open, node, at, length)
        || meant(ended, node, at, length)
        || meant(cut, node, at, length);
  }

  private static boolean meant(List<Deal> deals, SimNode node, int at, int length) {
    for (var deal : deals) {
      for (var piece : deal.pieces) {
        if (piece.write
            && piece.to == node
            && piece.means(node.generation())
            && piece.overlaps(at, length)) {
          return true;
        }
      }
    }
    return false;
  }

  // ---- the end of a process

  /** What a process has begun is nobody's any more. */
  void died(SimNode node) {
    mails.died(node);
    openings.died(node);
    for (var deal : List.copyOf(open)) {
      if (deal.from == node) {
        cluster.mark(Mark.KILLED_WITH_TRANSFERS);
        for (var piece : deal.pieces) {
          if (piece.open) {
            piece.to.ground().end(piece);
            if (piece.write && piece.kind == Piece.Kind.GOOD && piece.targetLives()) {
              piece.to.ground().taintForGood(piece.at, piece.length);
            }
          }
        }
        open.remove(deal);
        cut.add(deal);
      }
    }
    java.util.Arrays.fill(node.handles, null);
  }

  // ---- all of it

  /** Whether a deadline has passed, and its node could have told so. */
  boolean late(SimNode node, long deadline) {
    return !node.frozen()
        && cluster.world().now() - Math.max(deadline, node.thawedAt()) > Cluster.SLACK;
  }

  /** After each event. */
  void check() {
    openings.check();
    checkDeals();
    mails.check();
  }

  /** What was told once is the same at the end. */
  void checkHistory() {
    for (var deal : ended) {
      var now = deal.transfer.done().poll().orElseThrow().outcomes();
      for (int i = 0; i < deal.outcomes.length; i++) {
        if (now.get(i) != deal.outcomes[i]) {
          cluster.broken(deal + ": an outcome changed after it was told");
        }
      }
    }
  }

  /** Batches that have not settled. */
  List<Deal> open() {
    return open;
  }

  /** Batches that have. */
  List<Deal> ended() {
    return ended;
  }

  Mails mails() {
    return mails;
  }

  Openings openings() {
    return openings;
  }

  boolean quiet() {
    return open.isEmpty() && openings.quiet() && mails.quiet();
  }

  int batches() {
    return deals;
  }
}

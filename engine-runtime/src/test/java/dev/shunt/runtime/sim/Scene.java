package dev.shunt.runtime.sim;

import dev.shunt.api.Outcome;
import dev.shunt.runtime.transfer.core.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A cluster for a story that a test tells itself. All that always holds is watched here too. */
final class Scene implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(20);

  final Cluster cluster;
  final SimNode a;
  final SimNode b;

  /** What a's requests go to: b, or a target. */
  final Place to;

  /** Two nodes that have met. */
  Scene(Seeds seeds, Seeds.Kind kind, long seed) {
    this(seeds.cluster(kind, seed, 2));
  }

  /** Two nodes that have met, set up otherwise. */
  static Scene of(Seeds.Kind kind, long seed, Map<String, Object> settings) {
    var all = new java.util.LinkedHashMap<>(kind.settings);
    all.putAll(settings);
    var workshop = new Cluster.Workshop(new Setup(kind.provider, all), 2);
    return new Scene(new Cluster(workshop, seed, 2, kind.fabric));
  }

  private Scene(Cluster cluster) {
    this.cluster = cluster;
    cluster.start();
    a = cluster.node(0);
    b = cluster.node(1);
    to = cluster.places().contains(b) ? b : cluster.places().getLast();
  }

  /** One request. */
  Piece piece(Piece.Kind kind, boolean write, SimNode from, Place to, int at, int length) {
    int local = from.ground().take(length, 0);
    if (local < 0) {
      throw new AssertionError("no local memory is left");
    }
    var generation = from.handles[to.index()].generation();
    return new Piece(kind, write, from, to, generation, at, length, local);
  }

  /** A write of a. */
  Deal write(int at, int length) {
    return write(at, length, LONG);
  }

  /** A write of a, within a time. */
  Deal write(int at, int length, Duration within) {
    return submit(List.of(piece(Piece.Kind.GOOD, true, a, to, at, length)), within);
  }

  /** A read of a. */
  Deal read(int at, int length, Duration within) {
    return submit(List.of(piece(Piece.Kind.GOOD, false, a, to, at, length)), within);
  }

  /** A batch of a. */
  Deal submit(List<Piece> pieces, Duration within) {
    var deal = cluster.story().submit(a, new ArrayList<>(pieces), within, false);
    if (deal == null) {
      throw new AssertionError("there was no room");
    }
    return deal;
  }

  void run(long millis) {
    cluster.world().run(millis * Cluster.MILLI);
  }

  /** Waits for a batch's first end. */
  Deal done(Deal deal) {
    if (!cluster.until(deal::done, 25 * Cluster.SECOND)) {
      throw new AssertionError(deal + " does not end");
    }
    return deal;
  }

  /** Waits for a batch's first end, which must be a good one. */
  Deal completes(Deal deal) {
    done(deal);
    for (var outcome : deal.outcomes) {
      if (!(outcome instanceof Outcome.Completed)) {
        throw new AssertionError(deal + ": " + outcome);
      }
    }
    return deal;
  }

  /** Opens b anew, and waits until a has it; a peer that was silent is asked again. */
  void reopen() {
    var old = a.handles[b.index()];
    long until = now() + 3000;
    while (now() < until) {
      cluster.story().openings().open(a, b);
      if (cluster.until(() -> !cluster.story().openings().opening(a, b), 3 * Cluster.SECOND)
          && a.handles[b.index()] != old
          && Openings.isOpen(a, b)) {
        return;
      }
      run(20);
    }
    throw new AssertionError("b cannot be opened");
  }

  long count(Counter counter) {
    return a.probe().count(counter);
  }

  long now() {
    return cluster.world().now() / Cluster.MILLI;
  }

  /** All is even at the end. */
  void reckon() {
    new Reckoning(cluster).balance();
  }

  @Override
  public void close() {
    SimLogs.leave();
  }
}

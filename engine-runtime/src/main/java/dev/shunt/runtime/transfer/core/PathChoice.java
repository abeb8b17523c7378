package dev.shunt.runtime.transfer.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The paths for memory whose rails have an order, best first. The preferred rails of both sides
 * pair one by one and carry the traffic; then come their other pairs, then those with rails that
 * are only available. Where nothing is preferred, what is available takes its place.
 */
final class PathChoice {
  final RailOrder local;
  final RailOrder remote;

  /** Our rails, preferred ones first. */
  final int[] locals;

  /** The remote's rails, preferred ones first. */
  final int[] remotes;

  /** Places of paths. */
  final int[] order;

  /** How many of them carry the traffic. */
  final int primaries;

  /** How many of them have none but preferred rails. */
  final int preferred;

  /**
   * A choice.
   *
   * @param local the order of our rails; null if all are alike
   * @param remote the order of the remote's; null if all are alike
   * @param places of paths, by our rail and the remote's
   */
  PathChoice(RailOrder local, RailOrder remote, int[][] places) {
    this.local = local;
    this.remote = remote;
    int theirs = places.length == 0 ? 0 : places[0].length;
    var nearLocals = near(local, places.length);
    var nearRemotes = near(remote, theirs);
    locals = all(local, places.length);
    remotes = all(remote, theirs);
    var chosen = new LinkedHashSet<Integer>();
    pair(nearLocals, nearRemotes, places, chosen);
    primaries = chosen.isEmpty() ? 0 : Math.max(nearLocals.size(), nearRemotes.size());
    preferred = chosen.size();
    for (int ours : locals) {
      for (int their : remotes) {
        chosen.add(places[ours][their]);
      }
    }
    order = chosen.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Pairs rail by rail, then each with the next one's, and so on. */
  private static void pair(
      List<Integer> locals, List<Integer> remotes, int[][] places, LinkedHashSet<Integer> into) {
    for (int turn = 0; turn < Math.min(locals.size(), remotes.size()); turn++) {
      for (int i = 0; i < Math.max(locals.size(), remotes.size()); i++) {
        into.add(places[locals.get(i % locals.size())][remotes.get((i + turn) % remotes.size())]);
      }
    }
  }

  private static List<Integer> near(RailOrder order, int rails) {
    if (order == null) {
      return IntStream.range(0, rails).boxed().toList();
    }
    return order.preferred().isEmpty() ? order.available() : order.preferred();
  }

  private static int[] all(RailOrder order, int rails) {
    if (order == null) {
      return IntStream.range(0, rails).toArray();
    }
    var all = new ArrayList<>(order.preferred());
    all.addAll(order.available());
    return all.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Whether it is the choice for such orders; equal ones are as good as the same. */
  boolean isFor(RailOrder ours, RailOrder theirs) {
    return same(local, ours) && same(remote, theirs);
  }

  private static boolean same(RailOrder one, RailOrder other) {
    return one == other || (one != null && one.equals(other));
  }
}

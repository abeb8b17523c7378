package dev.shunt.runtime.transport.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Which paths a check tries, and in which order: the rails in the same place as the checked one,
 * those in use first and those of nodes that are known to be silent last, then each node's next
 * one. Every check begins with other nodes than the one before, so that no number of nodes that are
 * out of reach stands before the others for ever.
 */
public final class EchoTries {
  /** Paths that are tried in one check, at most. */
  public static final int MOST = 64;

  private static final int MUTE = 1;
  private static final int SILENT = 2;

  private EchoTries() {}

  /**
   * The paths, best first.
   *
   * @param partners how many nodes there are, and of each its rails
   * @param rail the index of the checked one
   * @param from with which node to begin; any number
   */
  public static List<EchoTry> of(List<EchoRails> partners, int rail, int from) {
    var tries = new ArrayList<EchoTry>();
    int most = 0;
    for (var partner : partners) {
      most = Math.max(most, partner.rails().size());
    }
    for (int turn = 0; turn < most; turn++) {
      for (int rank = 0; rank <= SILENT; rank++) {
        add(partners, rail, from, turn, rank, tries);
      }
    }
    return tries;
  }

  private static void add(
      List<EchoRails> partners, int rail, int from, int turn, int rank, List<EchoTry> into) {
    for (int i = 0; i < partners.size() && into.size() < MOST; i++) {
      int partner = Math.floorMod(from + i, partners.size());
      var rails = partners.get(partner).rails();
      if (turn < rails.size()) {
        var there = rails.get((rail + turn) % rails.size());
        var same = rails.get(rail % rails.size());
        var out = partners.get(partner).out();
        boolean mute = out.contains(there.index()) || out.contains(same.index());
        if (rank == (partners.get(partner).silent() ? SILENT : mute ? MUTE : 0)) {
          into.add(new EchoTry(partner, there, turn, mute));
        }
      }
    }
  }
}

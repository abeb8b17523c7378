package dev.shunt.transport.rdma.core;

import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.GidEntry;
import java.util.List;
import java.util.Optional;

/**
 * Which entry of a port's GID table to use where the configuration leaves it open: the most
 * routable one that a network interface stands behind; among equals the first. One of an overlay
 * network reaches no further than a link-local one. Only RoCE v2 and InfiniBand entries count, or
 * those of a library that tells no types.
 */
public final class GidChoice {
  /** The class of an entry that cannot be used. */
  private static final int NONE = Integer.MAX_VALUE;

  private GidChoice() {}

  /** The best entry. */
  public static Optional<GidEntry> best(List<GidEntry> entries) {
    GidEntry best = null;
    int rank = NONE;
    for (var entry : entries) {
      int other = rank(entry);
      if (other < rank) {
        best = entry;
        rank = other;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Whether an entry can be used at all. */
  public static boolean usable(GidEntry entry) {
    return rank(entry) != NONE;
  }

  /** Whether an entry reaches no further than its own link, or no further than an overlay does. */
  public static boolean onLinkOnly(GidEntry entry) {
    return entry.overlay() || reach(entry.gid()) == Reach.LINK_LOCAL;
  }

  /** Lower is better. */
  static int rank(GidEntry entry) {
    if (entry.gid().equals(Gid.ZERO) || entry.type() == GidEntry.Type.ROCE_V1) {
      return NONE;
    }
    return switch (entry.overlay() ? Reach.LINK_LOCAL : reach(entry.gid())) {
      case ROUTABLE -> entry.network() ? 0 : 1;
      case PRIVATE -> entry.network() ? 2 : 4;
      case LINK_LOCAL -> entry.network() ? 3 : 5;
    };
  }

  private static Reach reach(Gid gid) {
    if (gid.octet(0) == 0xfe && (gid.octet(1) & 0xc0) == 0x80) {
      return Reach.LINK_LOCAL;
    }
    boolean mapped = gid.high() == 0 && gid.low() >>> 32 == 0xffff;
    if (!mapped) {
      return Reach.ROUTABLE;
    }
    int first = gid.octet(12);
    int second = gid.octet(13);
    if (first == 169 && second == 254) {
      return Reach.LINK_LOCAL;
    }
    // Networks that tend to be behind translation. 192.168 is not among them: it is usual for a
    // cluster's own fabric.
    boolean isPrivate =
        first == 10
            || first == 172 && (second & 0xf0) == 16
            || first == 100 && second >= 64 && second < 128;
    return isPrivate ? Reach.PRIVATE : Reach.ROUTABLE;
  }

  private enum Reach {
    ROUTABLE,
    PRIVATE,
    LINK_LOCAL
  }
}

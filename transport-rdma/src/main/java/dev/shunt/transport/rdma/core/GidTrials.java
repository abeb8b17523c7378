package dev.shunt.transport.rdma.core;

import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.GidEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which entries of a port's GID table one handshake has tried. A device may refuse to connect from
 * an entry that the table shows all the same; then another one is worth a try. Never the same entry
 * twice: a pair of index and address, since either may have changed meanwhile.
 */
public final class GidTrials {
  /** How many further entries a handshake tries. */
  public static final int MOST = 2;

  private final List<Tried> tried = new ArrayList<>();

  private record Tried(int index, Gid gid) {}

  /** A handshake that begins with this entry. */
  public GidTrials(GidEntry first) {
    tried.add(pair(first));
  }

  /**
   * What to try after the last one was refused; counts as tried from here on.
   *
   * @param selected what the rail uses now: another handshake may have found a better one meanwhile
   * @param table the port's table, as it is now
   * @return empty if there is nothing new, or enough was tried
   */
  public Optional<GidEntry> next(GidEntry selected, List<GidEntry> table) {
    if (tried.size() > MOST) {
      return Optional.empty();
    }
    var fresh = table.stream().filter(this::untried).toList();
    var next = untried(selected) ? Optional.of(selected) : GidChoice.best(fresh);
    next.ifPresent(entry -> tried.add(pair(entry)));
    return next;
  }

  /** Whether an entry was tried, or is being. */
  public boolean tried(GidEntry entry) {
    return tried.contains(pair(entry));
  }

  private boolean untried(GidEntry entry) {
    return !tried(entry);
  }

  private static Tried pair(GidEntry entry) {
    return new Tried(entry.index(), entry.gid());
  }
}

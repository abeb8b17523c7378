package dev.shunt.policy.failover.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.PathId;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * Counts the faults of paths, and lets a path rest that has too many.
 *
 * <p>So many faults within the window pause a path; a handshake that was begun and not finished
 * pauses it at once. Each further pause is twice as long, up to a cap. Right after a pause the path
 * is on trial: until something went well on it, one fault is enough. What went well once does not
 * shorten the next pause; only a path that had no fault for as long as the longest pause starts
 * afresh, and one whose remote rail was out of use meanwhile, by the remote's own word: how soon it
 * may come back is the remote's to see to, and has been. A fault that is not the remote's, or not
 * the path's, counts for nothing here, and neither does one of an older link than the newest that
 * came up.
 *
 * <p>That memory goes beyond what the RFC "RDMA RNIC failover recovery" of Mooncake describes:
 * there a path is available again as soon as its pause has ended, and a success forgets what went
 * before, so that a path that comes and goes is tried again and again after the same short while.
 * Here it waits longer each time.
 */
public final class PathRecords implements PathHealth {
  /** Of paths that are remembered; the one that was quiet longest is forgotten first. */
  public static final int CAPACITY = 8192;

  private final Thresholds thresholds;
  private final LinkedHashMap<PathId, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  /** Remembers nothing yet. */
  public PathRecords(Thresholds thresholds) {
    this.thresholds = thresholds;
  }

  private static final class Entry {
    private long link = Long.MIN_VALUE;
    private int faults;
    private long windowFrom;
    private int pauses;
    private long pausedUntil;
    private long lastFault;
    private boolean onTrial;

    Entry(long now) {
      startAfresh(now);
    }

    /** As one that never failed, but for which link is the newest. */
    void startAfresh(long now) {
      faults = 0;
      windowFrom = now;
      pauses = 0;
      pausedUntil = now;
      lastFault = now;
      onTrial = false;
    }
  }

  @Override
  public void connected(PathId path, long link, long now) {
    var entry = entry(path, now);
    entry.link = Math.max(entry.link, link);
  }

  @Override
  public long failed(PathId path, long link, Fault fault, long now) {
    var known = entries.get(path);
    if (!Decisions.charges(fault) || (known != null && link < known.link)) {
      return known == null ? now : Clock.later(known.pausedUntil, now);
    }
    return charge(entry(path, now), fault.code() == FailureCode.HANDSHAKE, now);
  }

  private Entry entry(PathId path, long now) {
    var entry = entries.get(path);
    if (entry == null) {
      entry = new Entry(now);
      entries.put(path, entry);
      if (entries.size() > CAPACITY) {
        entries.remove(entries.firstEntry().getKey());
      }
    }
    return entry;
  }

  private long charge(Entry entry, boolean atOnce, long now) {
    if (entry.pausedUntil - now > 0) {
      // Late news of what the pause is for already.
      return entry.pausedUntil;
    }
    if (quiet(entry, now)) {
      entry.pauses = 0;
      entry.onTrial = false;
    }
    if (now - entry.windowFrom >= thresholds.window()) {
      entry.faults = 0;
      entry.windowFrom = now;
    }
    entry.faults++;
    entry.lastFault = now;
    if (entry.faults < thresholds.errors() && !entry.onTrial && !atOnce) {
      return now;
    }
    long pause = Doubling.of(thresholds.cooldown(), entry.pauses, thresholds.maxCooldown());
    entry.pauses = Math.min(entry.pauses + 1, Long.SIZE);
    entry.onTrial = true;
    entry.faults = 0;
    entry.pausedUntil = now + pause;
    entry.windowFrom = entry.pausedUntil;
    return entry.pausedUntil;
  }

  @Override
  public void succeeded(PathId path, long now) {
    var entry = entries.get(path);
    if (entry != null && entry.pausedUntil - now <= 0) {
      entry.onTrial = false;
    }
  }

  @Override
  public void returned(String remote, int remoteRail, long now) {
    for (var known : entries.sequencedEntrySet()) {
      var path = known.getKey();
      if (path.remoteRail() == remoteRail && path.remote().equals(remote)) {
        known.getValue().startAfresh(now);
      }
    }
  }

  @Override
  public void forget(String remote) {
    entries.keySet().removeIf(path -> path.remote().equals(remote));
  }

  @Override
  public Optional<PathRecord> record(PathId path, long now) {
    var entry = entries.get(path);
    if (entry == null) {
      return Optional.empty();
    }
    boolean inWindow = now - entry.windowFrom < thresholds.window();
    int pauses = quiet(entry, now) ? 0 : entry.pauses;
    return Optional.of(
        new PathRecord(
            inWindow ? entry.faults : 0,
            pauses,
            entry.pausedUntil,
            Doubling.of(thresholds.cooldown(), pauses, thresholds.maxCooldown())));
  }

  private boolean quiet(Entry entry, long now) {
    return now - Clock.later(entry.lastFault, entry.pausedUntil) >= thresholds.maxCooldown();
  }

  /** How many paths are remembered. */
  public int size() {
    return entries.size();
  }
}

package dev.shunt.policy.failover.core;

import dev.shunt.api.spi.PeerHealth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Marks peers that do not answer, so that one call pays its timeout and the others do not.
 *
 * <p>A mark refuses calls for a cooldown. When that has ended one call goes through. If it is
 * answered, the mark is gone; if it is not, the next cooldown is twice as long, up to the longest;
 * if nobody tells, another one goes through after the longest cooldown. Whatever else ends without
 * an answer meanwhile (calls that were begun before, probes) is counted, and changes no cooldown.
 *
 * <p>Nobody is blamed who was heard of in the second half of the time that a call waited. Nor is
 * anyone while this process stood still itself, nor for as long again thereafter by calls that were
 * begun before: their answers may lie in a queue of ours.
 *
 * <p>A mark is forgotten when nobody called, or wanted to, for its greatest age. A silent call that
 * meant an older generation than the mark changes nothing; one that meant a newer generation starts
 * the mark afresh.
 */
public final class PeerRecords implements PeerHealth {
  /** Of marks, and of addresses that were heard of; the one unused longest makes room. */
  public static final int CAPACITY = 4096;

  private final PeerLimits limits;

  /** In the order of their probes: each is put at the end when it was asked. */
  private final LinkedHashMap<String, Mark> marks = new LinkedHashMap<>();

  private final LinkedHashMap<String, Heard> heard = new LinkedHashMap<>(16, 0.75f, true);

  private boolean stood;
  private long stillUntil;
  private long stillFor;

  private static final class Heard {
    private long at;
  }

  /** Nobody is marked. */
  public PeerRecords(PeerLimits limits) {
    this.limits = limits;
  }

  @Override
  public Optional<Unreachable> admit(String address, long now) {
    var mark = marks.get(address);
    if (mark == null) {
      return Optional.empty();
    }
    if (mark.aged(limits, now)) {
      marks.remove(address);
      return Optional.empty();
    }
    mark.wanted(now);
    return mark.admit(limits, now) ? Optional.empty() : Optional.of(mark.show(address));
  }

  @Override
  public void silent(String address, long generation, String why, long begun, long now) {
    var mark = marks.get(address);
    if (excused(address, begun, now)) {
      if (mark != null) {
        mark.excused(begun);
      }
      return;
    }
    if (mark != null && (mark.aged(limits, now) || mark.isOlderThan(generation))) {
      marks.remove(address);
      mark = null;
    }
    if (mark == null) {
      makeRoom();
      marks.put(address, new Mark(limits, generation, why, now));
    } else if (!mark.isNewerThan(generation)) {
      mark.silent(limits, why, begun, now);
    }
  }

  private boolean excused(String address, long begun, long now) {
    if (stood && Clock.reached(begun, stillUntil) && now - stillUntil <= stillFor) {
      return true;
    }
    var last = heard.get(address);
    return last != null && (now - last.at) < (now - begun) / 2;
  }

  private void makeRoom() {
    if (marks.size() < CAPACITY) {
      return;
    }
    String longest = null;
    Mark unused = null;
    for (var entry : marks.entrySet()) {
      if (unused == null || entry.getValue().wantedAt() - unused.wantedAt() < 0) {
        longest = entry.getKey();
        unused = entry.getValue();
      }
    }
    marks.remove(longest);
  }

  @Override
  public void unanswered(String address, String why, long now) {
    var mark = marks.get(address);
    if (mark != null) {
      mark.probed(why);
    }
  }

  @Override
  public void answered(String address, long now) {
    marks.remove(address);
    var last = heard.get(address);
    if (last == null) {
      last = new Heard();
      heard.put(address, last);
      if (heard.size() > CAPACITY) {
        heard.remove(heard.firstEntry().getKey());
      }
    }
    last.at = now;
  }

  @Override
  public void stoodStill(long nanos, long now) {
    stood = true;
    stillUntil = now;
    stillFor = nanos;
    marks.values().removeIf(mark -> mark.madeWithin(nanos, now));
    marks.values().forEach(mark -> mark.excuse(nanos, now));
  }

  @Override
  public List<String> probes(int most, long now) {
    var due = new ArrayList<String>();
    while (due.size() < most && !marks.isEmpty()) {
      var first = marks.firstEntry();
      var mark = first.getValue();
      if (mark.aged(limits, now)) {
        marks.remove(first.getKey());
      } else if (Clock.reached(mark.nextProbe(), now)) {
        mark.probe(limits, now);
        marks.putLast(first.getKey(), mark);
        due.add(first.getKey());
      } else {
        break;
      }
    }
    return due;
  }

  @Override
  public long nextProbe() {
    return marks.isEmpty() ? Long.MAX_VALUE : marks.firstEntry().getValue().nextProbe();
  }

  @Override
  public List<Unreachable> unreachable(long now) {
    return marks.entrySet().stream()
        .filter(entry -> !entry.getValue().aged(limits, now))
        .map(entry -> entry.getValue().show(entry.getKey()))
        .toList();
  }

  /** How many addresses are remembered in all, marked or heard of. */
  public int size() {
    return marks.size() + heard.size();
  }
}

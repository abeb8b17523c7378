package dev.shunt.runtime.transport.core;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RailHealth;
import dev.shunt.api.spi.RailLoss;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rails without a policy: each is out of use just as long as its transport says so, or an operator.
 * Nothing is counted, nothing is waited for, and what an operator brings back is checked once. One
 * that erred, so that it has to be made anew, waits for that.
 */
public final class BareRails implements RailHealth {
  private final Map<Integer, Entry> entries = new TreeMap<>();
  private long checks;

  /** All rails are active. */
  public BareRails() {}

  private static final class Entry {
    State state = State.ACTIVE;
    boolean lost;
    boolean erred;
    boolean changed;
    long since;
    long check;
    long verifiedAt = Long.MIN_VALUE;
    String reason = "";

    void at(State next, String why, long now) {
      state = next;
      changed = true;
      since = now;
      reason = why;
      check = 0;
    }
  }

  private Entry entry(int rail) {
    return entries.computeIfAbsent(rail, _ -> new Entry());
  }

  @Override
  public List<Action> inactive(int rail, RailLoss loss, String reason, long now) {
    var entry = entry(rail);
    entry.lost = true;
    entry.erred |= loss != RailLoss.LINK;
    return switch (entry.state) {
      case INACTIVE, DRAINED -> List.of();
      case ACTIVE -> {
        entry.at(State.INACTIVE, reason, now);
        yield List.of(new Action.Deactivate(rail, reason));
      }
      case RECOVERING -> {
        entry.at(State.INACTIVE, reason, now);
        yield List.of();
      }
    };
  }

  @Override
  public List<Action> returned(int rail, long now) {
    var entry = entry(rail);
    entry.lost = entry.erred;
    return entry.state == State.INACTIVE && !entry.erred ? activate(rail, entry, now) : List.of();
  }

  private List<Action> activate(int rail, Entry entry, long now) {
    entry.at(State.ACTIVE, entry.reason, now);
    return List.of(new Action.Activate(rail));
  }

  @Override
  public List<Action> failed(int rail, Fault fault, long now) {
    return List.of();
  }

  @Override
  public void succeeded(int rail, long now) {
    // Nothing is counted.
  }

  @Override
  public List<Action> checked(int rail, long number, String problem, long now) {
    var entry = entry(rail);
    if (entry.check != number || entry.state != State.RECOVERING) {
      return List.of();
    }
    if (problem.isEmpty()) {
      entry.verifiedAt = now;
      entry.lost = false;
      entry.erred = false;
      return activate(rail, entry, now);
    }
    entry.at(State.INACTIVE, problem, now);
    return List.of();
  }

  @Override
  public List<Action> drain(int rail, long now) {
    var entry = entry(rail);
    if (entry.state == State.DRAINED) {
      return List.of();
    }
    var used = entry.state == State.ACTIVE;
    var reason = "an operator took it out of use";
    entry.at(State.DRAINED, reason, now);
    return used ? List.of(new Action.Deactivate(rail, reason)) : List.of();
  }

  @Override
  public List<Action> restore(int rail, long now) {
    var entry = entry(rail);
    if (entry.state == State.ACTIVE || entry.check != 0) {
      return List.of();
    }
    entry.at(State.RECOVERING, entry.reason, now);
    entry.check = ++checks;
    return List.of(new Action.Check(rail, entry.check, entry.lost));
  }

  @Override
  public List<Action> tick(long now) {
    return List.of();
  }

  @Override
  public long nextDeadline() {
    return Long.MAX_VALUE;
  }

  @Override
  public RailRecord record(int rail, long now) {
    var entry = entry(rail);
    return new RailRecord(
        entry.state,
        entry.since,
        entry.changed,
        entry.reason,
        0,
        now,
        entry.check != 0,
        entry.verifiedAt,
        0);
  }
}

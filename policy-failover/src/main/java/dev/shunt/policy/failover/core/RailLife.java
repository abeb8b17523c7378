package dev.shunt.policy.failover.core;

import dev.shunt.api.spi.RailHealth.Action;
import dev.shunt.api.spi.RailHealth.RailRecord;
import dev.shunt.api.spi.RailHealth.State;
import dev.shunt.api.spi.RailLoss;
import java.util.List;

/**
 * One rail of ours. What stands between it and its use is told by three facts that outlast a state:
 * its link is gone, its device is broken, its context is no good.
 */
final class RailLife {
  /**
   * How long a check may take until it counts as failed, should nobody tell how it ended: more than
   * a connection and a few echoes take with the longest timeouts that anybody sets.
   */
  static final long CHECK_LIMIT = 120_000_000_000L;

  private final int rail;
  private final RailLimits limits;

  private State state = State.ACTIVE;
  private long since;
  private boolean changed;
  private String reason = "";

  private boolean linkLost;
  private boolean broken;
  private boolean anew;

  private int failures;

  /** Falls and failed checks since it was quiet last. */
  private int before;

  private boolean fell;
  private long activeSince;
  private long deadline = Long.MAX_VALUE;
  private long check;
  private long verifiedAt = Long.MIN_VALUE;

  RailLife(int rail, RailLimits limits, long now) {
    this.rail = rail;
    this.limits = limits;
    this.since = now;
    this.activeSince = now;
  }

  List<Action> inactive(RailLoss loss, String why, long now) {
    linkLost |= loss == RailLoss.LINK;
    broken |= loss == RailLoss.FATAL;
    anew |= loss != RailLoss.LINK;
    return switch (state) {
      case ACTIVE -> fall(why, now);
      case DRAINED -> List.of();
      case INACTIVE -> {
        reason = why;
        yield List.of();
      }
      case RECOVERING -> {
        reason = why;
        if (loss == RailLoss.ERRORS && check != 0) {
          longer();
        }
        if (linkLost || broken || check != 0) {
          await(now);
        }
        yield List.of();
      }
    };
  }

  private List<Action> fall(String why, long now) {
    forgiveIfQuiet(now);
    reason = why;
    fell = true;
    await(now);
    return List.of(new Action.Deactivate(rail, why));
  }

  /** Waits for whatever has to come first. */
  private void await(long now) {
    check = 0;
    failures = 0;
    if (linkLost || broken) {
      deadline = Long.MAX_VALUE;
      enter(State.INACTIVE, now);
    } else {
      deadline = Clock.after(now, limits.delay(before));
      enter(State.RECOVERING, now);
    }
  }

  private void forgiveIfQuiet(long now) {
    if (now - activeSince >= limits.maxRecoveryDelay()) {
      before = 0;
    }
  }

  private void enter(State next, long now) {
    if (state != next) {
      state = next;
      since = now;
      changed = true;
    }
  }

  List<Action> returned(long now) {
    linkLost = false;
    if (state == State.INACTIVE) {
      await(now);
    }
    return List.of();
  }

  List<Action> failed(String why, long now) {
    if (state != State.ACTIVE) {
      return List.of();
    }
    failures++;
    if (failures < limits.failuresInARow()) {
      return List.of();
    }
    anew = true;
    return fall(failures + " failures in a row, the last: " + why, now);
  }

  void succeeded() {
    failures = 0;
  }

  boolean checks(long number) {
    return check != 0 && check == number;
  }

  List<Action> checked(String problem, long now) {
    if (!problem.isEmpty()) {
      reason = problem;
      longer();
      await(now);
      return List.of();
    }
    linkLost = false;
    broken = false;
    anew = false;
    check = 0;
    failures = 0;
    deadline = Long.MAX_VALUE;
    if (fell) {
      fell = false;
      longer();
    }
    activeSince = now;
    verifiedAt = now == Long.MIN_VALUE ? now + 1 : now;
    enter(State.ACTIVE, now);
    return List.of(new Action.Activate(rail));
  }

  private void longer() {
    before = Math.min(before + 1, Long.SIZE);
  }

  List<Action> drain(String why, long now) {
    var active = state == State.ACTIVE;
    if (active) {
      forgiveIfQuiet(now);
    }
    check = 0;
    failures = 0;
    deadline = Long.MAX_VALUE;
    if (state != State.DRAINED) {
      reason = why;
    }
    enter(State.DRAINED, now);
    return active ? List.of(new Action.Deactivate(rail, why)) : List.of();
  }

  List<Action> restore(long number, long now) {
    return state == State.ACTIVE || check != 0 ? List.of() : check(number, now);
  }

  private List<Action> check(long number, long now) {
    check = number;
    deadline = Clock.after(now, CHECK_LIMIT);
    enter(State.RECOVERING, now);
    return List.of(new Action.Check(rail, number, anew));
  }

  boolean due(long now) {
    return deadline != Long.MAX_VALUE && Clock.reached(deadline, now);
  }

  /** What was waited for is over. */
  List<Action> tick(long number, long now) {
    return check == 0 ? check(number, now) : checked("the check did not end in time", now);
  }

  long deadline() {
    return deadline;
  }

  RailRecord record(long now) {
    var quiet = state == State.ACTIVE && now - activeSince >= limits.maxRecoveryDelay();
    return new RailRecord(
        state,
        since,
        changed,
        reason,
        failures,
        state == State.RECOVERING && check == 0 ? deadline : 0,
        check != 0,
        verifiedAt,
        limits.delay(quiet ? 0 : before));
  }
}

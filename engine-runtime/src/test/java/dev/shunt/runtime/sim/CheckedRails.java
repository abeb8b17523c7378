package dev.shunt.runtime.sim;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RailHealth;
import dev.shunt.api.spi.RailLoss;
import java.util.ArrayList;
import java.util.List;

/** The machine for a transport's own rails, watched. */
final class CheckedRails implements RailHealth {
  private final RailHealth inner;
  private final Guard guard;
  private final String transport;

  CheckedRails(RailHealth inner, Guard guard, String transport) {
    this.inner = inner;
    this.guard = guard;
    this.transport = transport;
  }

  private RailLog log(int rail) {
    return guard.rail(transport, rail);
  }

  private List<Action> seen(List<Action> actions, long now) {
    var cluster = guard.cluster();
    for (var action : actions) {
      var log = log(action.rail());
      switch (action) {
        case Action.Deactivate(var rail, var reason) -> {
          log.deactivated(now);
          cluster.mark(Mark.RAIL_INACTIVE);
          guard.charged(transport, rail, reason);
        }
        case Action.Check _ -> cluster.mark(Mark.RAIL_CHECKED);
        case Action.Activate(var rail) -> {
          var wrong = log.activated(now);
          cluster.mark(Mark.RAIL_RECOVERED);
          if (!wrong.isEmpty()) {
            cluster.broken(guard.node + ": rail " + rail + " is used again " + wrong);
          }
        }
      }
    }
    if (cluster.weakness() == Weakness.INACTIVE_RAILS_USED) {
      return actions.stream().filter(action -> !(action instanceof Action.Deactivate)).toList();
    }
    return actions;
  }

  @Override
  public List<Action> inactive(int rail, RailLoss loss, String reason, long now) {
    log(rail).lost(loss, now);
    return seen(inner.inactive(rail, loss, reason, now), now);
  }

  @Override
  public List<Action> returned(int rail, long now) {
    log(rail).returned(now);
    var actions = inner.returned(rail, now);
    if (inner.record(rail, now).state() == State.RECOVERING) {
      guard.cluster().mark(Mark.RAIL_RECOVERING);
    }
    if (guard.cluster().weakness() == Weakness.RAILS_BACK_AT_ONCE && log(rail).out()) {
      var hasty = new ArrayList<>(actions);
      hasty.add(new Action.Activate(rail));
      return seen(hasty, now);
    }
    return seen(actions, now);
  }

  @Override
  public List<Action> failed(int rail, Fault fault, long now) {
    return seen(inner.failed(rail, fault, now), now);
  }

  @Override
  public void succeeded(int rail, long now) {
    inner.succeeded(rail, now);
  }

  @Override
  public List<Action> checked(int rail, long number, String problem, long now) {
    boolean well = problem.isEmpty();
    guard.cluster().mark(well ? Mark.CHECK_PASSED : Mark.CHECK_FAILED);
    guard.checked();
    log(rail).checked(well);
    return seen(inner.checked(rail, number, problem, now), now);
  }

  @Override
  public List<Action> drain(int rail, long now) {
    guard.cluster().mark(Mark.RAIL_DRAINED);
    return seen(inner.drain(rail, now), now);
  }

  @Override
  public List<Action> restore(int rail, long now) {
    log(rail).restored();
    return seen(inner.restore(rail, now), now);
  }

  @Override
  public List<Action> tick(long now) {
    return seen(inner.tick(now), now);
  }

  @Override
  public long nextDeadline() {
    return inner.nextDeadline();
  }

  @Override
  public RailRecord record(int rail, long now) {
    return inner.record(rail, now);
  }
}

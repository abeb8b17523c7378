package dev.shunt.policy.failover.core;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.RailHealth;
import dev.shunt.api.spi.RailLoss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Takes rails of ours out of use, and back in after a delay and a check.
 *
 * <p>What it waits for depends on the loss. {@link RailLoss#LINK}: until {@link #returned}, then
 * for the delay; a second "up" does not move its end, a "down" cancels it. {@link RailLoss#ERRORS},
 * and too many local failures in a row: for the delay, and its context is made anew. {@link
 * RailLoss#FATAL}: for an operator, also after a check that an operator asked for failed. Then
 * comes a check. One that fails, or that nobody tells the end of within two minutes, is followed by
 * a longer delay and another check. Only a check that passed brings a rail back.
 *
 * <p>The delay doubles, up to its longest, with each fall that comes soon after the rail was
 * active, and with each check that fails. Soon is: before it was active for as long as the longest
 * delay. One that held for that long starts afresh. Whatever the link does while the rail is out of
 * use makes the delay begin again, and no longer.
 */
public final class RailRecords implements RailHealth {
  /** Rails of one transport; a higher index than fits is refused. */
  public static final int CAPACITY = 1024;

  private final RailLimits limits;
  private RailLife[] rails = {};
  private long checks;

  /** Every rail is active. */
  public RailRecords(RailLimits limits) {
    this.limits = limits;
  }

  @Override
  public List<Action> inactive(int rail, RailLoss loss, String reason, long now) {
    return life(rail, now).inactive(loss, reason, now);
  }

  @Override
  public List<Action> returned(int rail, long now) {
    return life(rail, now).returned(now);
  }

  @Override
  public List<Action> failed(int rail, Fault fault, long now) {
    return fault.blame() == Blame.LOCAL ? life(rail, now).failed(fault.text(), now) : List.of();
  }

  @Override
  public void succeeded(int rail, long now) {
    life(rail, now).succeeded();
  }

  @Override
  public List<Action> checked(int rail, long number, String problem, long now) {
    var life = life(rail, now);
    return life.checks(number) ? life.checked(problem, now) : List.of();
  }

  @Override
  public List<Action> drain(int rail, long now) {
    return life(rail, now).drain("drained by an operator", now);
  }

  @Override
  public List<Action> restore(int rail, long now) {
    return life(rail, now).restore(++checks, now);
  }

  @Override
  public List<Action> tick(long now) {
    List<Action> actions = List.of();
    for (var life : rails) {
      if (life != null && life.due(now)) {
        var more = life.tick(++checks, now);
        actions = actions.isEmpty() ? more : joined(actions, more);
      }
    }
    return actions;
  }

  private static List<Action> joined(List<Action> first, List<Action> second) {
    var all = new ArrayList<>(first);
    all.addAll(second);
    return List.copyOf(all);
  }

  @Override
  public long nextDeadline() {
    long next = Long.MAX_VALUE;
    for (var life : rails) {
      if (life != null && life.deadline() != Long.MAX_VALUE) {
        next = next == Long.MAX_VALUE ? life.deadline() : Clock.earlier(next, life.deadline());
      }
    }
    return next;
  }

  @Override
  public RailRecord record(int rail, long now) {
    return life(rail, now).record(now);
  }

  private RailLife life(int rail, long now) {
    if (rail < 0 || rail >= CAPACITY) {
      throw new IllegalArgumentException(
          "rail " + rail + " of a transport; right is 0 to " + (CAPACITY - 1));
    }
    if (rail >= rails.length) {
      rails = Arrays.copyOf(rails, rail + 1);
    }
    if (rails[rail] == null) {
      rails[rail] = new RailLife(rail, limits, now);
    }
    return rails[rail];
  }
}

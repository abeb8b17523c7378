package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.nof.NofTransportProvider;
import dev.shunt.transport.nof.testing.Action;
import dev.shunt.transport.nof.testing.Rule;
import dev.shunt.transport.nof.testing.Stage;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The NVMe/TCP initiator over virtual wires, towards targets in the same world. */
final class NofFabric implements Fabric {
  /** A target has no generation, tells no capability that is versioned, and fences nothing. */
  static final Set<Mark> MARKS =
      EnumSet.of(
          Mark.REDO_AFTER_FAILURE,
          Mark.HAND_OFF,
          Mark.RETRY,
          Mark.GIVE_UP,
          Mark.UNKNOWN_EFFECT,
          Mark.PATH_PAUSED,
          Mark.LATE_REPORT,
          Mark.CANCELLED_WHILE_POSTED,
          Mark.TIMED_OUT_WHILE_POSTED,
          Mark.UNREACHABLE,
          Mark.CHANNEL_DOWN_WITH_SLICES,
          Mark.BATCH_LARGER_THAN_WINDOW,
          Mark.SUBMIT_BUSY,
          Mark.REWRITE_AFTER_COMPLETED,
          Mark.KILLED_WITH_TRANSFERS,
          Mark.HOST_WITHOUT_POWER,
          Mark.FROZEN_PAST_A_DEADLINE,
          Mark.DATA_DAMAGED);

  private static final List<Stage> STAGES =
      List.of(Stage.READ, Stage.WRITE, Stage.R2T, Stage.DATA, Stage.APPLY, Stage.COMPLETE);
  private static final List<Action> ACTIONS =
      List.of(
          Action.STALL,
          Action.DROP,
          Action.CLOSE,
          Action.FORGET,
          Action.STATUS,
          Action.BAD_HEADER_DIGEST,
          Action.BAD_DATA_DIGEST);

  private final Cluster cluster;
  private final NetTroubles net;
  private final List<SimTarget> targets = new ArrayList<>();

  NofFabric(Cluster cluster) {
    this.cluster = cluster;
    net = new NetTroubles(cluster);
  }

  /** Small sizes and short times, so that a short story meets each bound. */
  static Map<String, Object> settings() {
    var values = new LinkedHashMap<String, Object>();
    values.put("lanes", 2);
    values.put("slice-size", "512 B");
    values.put("max-slice", "4 KiB");
    values.put("num-io-queues", 4);
    values.put("io-queue-size", 9);
    values.put("keep-alive-timeout", "1 s");
    values.put("fabrics-connect-timeout", "400 ms");
    values.put("command-timeout", "600 ms");
    // What a digest does not cover would be damaged unseen.
    values.put("header-digest", true);
    values.put("data-digest", true);
    values.put("window-bytes", "12 KiB");
    values.put("window-slices", 20);
    values.put("stall-limit", "400 ms");
    values.put("rail-error-threshold", 2);
    values.put("rail-error-window", "3 s");
    values.put("rail-cooldown", "500 ms");
    values.put("rail-max-cooldown", "4 s");
    return values;
  }

  @Override
  public String id() {
    return "nof";
  }

  @Override
  public Map<String, Object> config(List<String> addresses, boolean sameAgain) {
    return Map.of("rails", addresses);
  }

  @Override
  public boolean fencesByItself() {
    return true;
  }

  @Override
  public int unknowns() {
    return 5;
  }

  @Override
  public boolean notifies() {
    return false;
  }

  @Override
  public TransportProvider provider(SimNode node) {
    return new NofTransportProvider();
  }

  @Override
  public List<? extends Place> places() {
    if (targets.isEmpty()) {
      targets.add(new SimTarget(cluster, 0));
      targets.add(new SimTarget(cluster, 1));
    }
    return targets;
  }

  @Override
  public List<Trouble> troubles() {
    var all = new ArrayList<>(net.all());
    all.add(this::misbehave);
    all.add(this::misbehave);
    all.add(this::misbehave);
    all.add(dice -> any(dice).dropAll());
    return all;
  }

  private SimTarget any(Dice dice) {
    var target = targets.get((int) dice.below(targets.size()));
    cluster.harm().host(target.host());
    return target;
  }

  private void misbehave(Dice dice) {
    var stage = STAGES.get((int) dice.below(STAGES.size()));
    var action = ACTIONS.get((int) dice.below(ACTIONS.size()));
    // 0x06 is an internal error of the target's.
    var rule = new Rule(stage, -1, (int) dice.below(5), (int) dice.between(1, 3), action, 0x06);
    any(dice).rule(rule);
  }

  @Override
  public void heal() {
    net.heal();
    targets.forEach(SimTarget::heal);
  }

  @Override
  public void reckon() {
    targets.forEach(SimTarget::reckon);
  }

  @Override
  public Set<Mark> marks() {
    return MARKS;
  }
}

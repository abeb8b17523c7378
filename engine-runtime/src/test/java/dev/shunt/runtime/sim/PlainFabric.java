package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.runtime.plain.PlainTransportProvider;
import dev.shunt.runtime.plain.SoftTent;
import dev.shunt.runtime.plain.SoftTent.Ill;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** SendData and RecvData over virtual wires, towards plain peers in the same world. */
final class PlainFabric implements Fabric {
  /** A plain peer has no generation, agrees on nothing, and fences nothing. */
  static final Set<Mark> MARKS =
      EnumSet.of(
          Mark.REDO_AFTER_STALL,
          Mark.REDO_AFTER_FAILURE,
          Mark.HAND_OFF,
          Mark.REDISPATCH,
          Mark.RETRY,
          Mark.GIVE_UP,
          Mark.PATH_PAUSED,
          Mark.LATE_REPORT,
          Mark.CANCELLED_WHILE_POSTED,
          Mark.TIMED_OUT_WHILE_POSTED,
          Mark.REFUSED_BY_RANGE_OR_KEY,
          Mark.UNREACHABLE,
          Mark.CHANNEL_DOWN_WITH_SLICES,
          Mark.BATCH_LARGER_THAN_WINDOW,
          Mark.SUBMIT_BUSY,
          Mark.REWRITE_AFTER_COMPLETED,
          Mark.KILLED_WITH_TRANSFERS,
          Mark.HOST_WITHOUT_POWER,
          Mark.FROZEN_PAST_A_DEADLINE,
          Mark.UNFENCED_REDO);

  /** What TENT cannot be told to look at twice is not among them: data of the right length. */
  private static final List<Ill> ILLS =
      List.of(
          Ill.REFUSED,
          Ill.CLOSED,
          Ill.SERVED_THEN_CLOSED,
          Ill.HALF,
          Ill.HALF_DATA,
          Ill.RESET,
          Ill.ERROR,
          Ill.WRONG_SEQUENCE,
          Ill.BAD_MAGIC,
          Ill.HUGE,
          Ill.EMPTY_BODY,
          Ill.WRONG_BODY,
          Ill.SHORT,
          Ill.SILENT,
          Ill.LATE,
          Ill.LATE,
          Ill.LATE);

  private final Cluster cluster;
  private final NetTroubles net;

  /** Whether the network has its troubles too; where it has none, more is promised. */
  private final boolean rough;

  private final List<TentPlace> peers = new ArrayList<>();

  PlainFabric(Cluster cluster) {
    this.cluster = cluster;
    net = new NetTroubles(cluster);
    rough = cluster.world().dice("plain").permille(600);
  }

  /** Small sizes and short times, so that a short story meets each bound. */
  static Map<String, Object> settings() {
    var values = new LinkedHashMap<String, Object>();
    values.put("lanes", 2);
    values.put("slice-size", "512 B");
    values.put("connections", 2);
    values.put("depth", 3);
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
    return "tent";
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
  public boolean notifies() {
    return false;
  }

  @Override
  public TransportProvider provider(SimNode node) {
    return new PlainTransportProvider();
  }

  @Override
  public List<? extends Place> places() {
    if (peers.isEmpty()) {
      peers.add(new TentPlace(cluster, 0));
      peers.add(new TentPlace(cluster, 1));
    }
    return peers;
  }

  @Override
  public List<Trouble> troubles() {
    var all = new ArrayList<Trouble>();
    if (rough) {
      for (var trouble : net.withoutDamage()) {
        all.add(
            dice -> {
              peers.forEach(TentPlace::unsteady);
              trouble.begin(dice);
            });
      }
    }
    for (int i = 0; i < 4; i++) {
      all.add(this::misbehave);
    }
    all.add(dice -> any(dice).dropAll());
    all.add(this::withdraw);
    return all;
  }

  private SoftTent any(Dice dice) {
    var peer = peers.get((int) dice.below(peers.size()));
    cluster.harm().host(peer.host());
    return peer.server();
  }

  private void misbehave(Dice dice) {
    int function = (int) dice.below(5) == 0 ? SoftTent.DESCRIBE : dice.permille(500) ? 3 : 4;
    var ill = ILLS.get((int) dice.below(ILLS.size()));
    any(dice).ill(ill == Ill.LATE ? SoftTent.SEND : function, ill, (int) dice.between(1, 3));
  }

  /** Its memory is not registered for a time. */
  private void withdraw(Dice dice) {
    var server = any(dice);
    server.lends(false);
    cluster.after(Cluster.MILLI * dice.between(20, 500), () -> server.lends(true));
  }

  @Override
  public void heal() {
    net.heal();
    peers.forEach(TentPlace::heal);
  }

  @Override
  public Set<Mark> marks() {
    return MARKS;
  }
}

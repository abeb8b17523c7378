package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.rdma.testing.SoftFabric;
import dev.shunt.transport.rdma.testing.SoftNic;
import dev.shunt.transport.rdma.testing.SoftPath;
import dev.shunt.transport.rdma.testing.SoftRdmaProvider;
import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The RDMA transport over software NICs; the control plane goes by virtual wires beside them. */
final class RdmaFabric implements Fabric {
  /**
   * A fence is asked for by word; only a stream carries one, knows stale ports, or hides damage.
   */
  static final Set<Mark> MARKS =
      EnumSet.complementOf(
          EnumSet.of(
              Mark.FENCE_AHEAD_OF_REDO,
              Mark.HANDSHAKE_PAUSE,
              Mark.OLD_LINK_FAILED,
              Mark.ADDRESS_LOST,
              Mark.FENCES_CROSSING,
              Mark.DATA_DAMAGED,
              Mark.UNREGISTER_WAITED,
              Mark.LATE_WRITE,
              Mark.UNFENCED_REDO));

  private static final long LATENCY = 5_000;

  private final Cluster cluster;
  private final NetTroubles net;
  private final SoftFabric fabric;
  private final List<SoftNic[]> machines = new ArrayList<>();

  RdmaFabric(Cluster cluster) {
    this.cluster = cluster;
    net = new NetTroubles(cluster);
    fabric = new SoftFabric(cluster.world());
  }

  /** Small sizes and short times, so that a short story meets each bound. */
  static Map<String, Object> settings() {
    var values = new LinkedHashMap<String, Object>();
    values.put("lanes", 2);
    values.put("slice-size", "512 B");
    values.put("max-slice", "4 KiB");
    values.put("window-bytes", "12 KiB");
    values.put("window-slices", 20);
    values.put("stall-limit", "400 ms");
    values.put("rail-error-threshold", 2);
    values.put("rail-error-window", "3 s");
    values.put("rail-cooldown", "500 ms");
    values.put("rail-max-cooldown", "4 s");
    values.put("device.max-cqe", 64);
    values.put("device.event-poll-interval", "100 ms");
    values.put("device.idle-park", "1 ms");
    values.put("endpoint.num-qps", 1);
    values.put("endpoint.max-qp-wr", 8);
    values.put("endpoint.path-mtu", 256);
    values.put("endpoint.send-timeout", 10);
    values.put("endpoint.send-retry-count", 3);
    values.put("endpoint.drain-timeout", "500 ms");
    values.put("endpoint.keep-alive-interval", "1 s");
    values.put("endpoint.bootstrap-timeout", "500 ms");
    values.put("endpoint.close-timeout", "300 ms");
    return values;
  }

  @Override
  public String id() {
    return "rdma";
  }

  @Override
  public Map<String, Object> config(List<String> addresses, boolean sameAgain) {
    return Map.of();
  }

  @Override
  public boolean fencesByItself() {
    return false;
  }

  @Override
  public TransportProvider provider(SimNode node) {
    while (machines.size() <= node.index()) {
      machines.add(new SoftNic[] {fabric.nic("mlx5_0"), fabric.nic("mlx5_1")});
    }
    var nics = machines.get(node.index());
    if (!nics[0].up() && !nics[1].up()) {
      // Without any port a process does without RDMA for as long as it lives.
      nics[0].restore();
    }
    return new SoftRdmaProvider(() -> fabric.verbs(node.process(), nics));
  }

  @Override
  public List<Trouble> troubles() {
    var all = new ArrayList<>(net.all());
    all.add(dice -> paths(dice, SoftPath::hold, 20, 900));
    all.add(dice -> paths(dice, SoftPath::hold, 20, 900));
    all.add(dice -> paths(dice, SoftPath::blackhole, 5, 900));
    all.add(dice -> paths(dice, path -> path.lose((int) dice.between(10, 300)), 50, 900));
    all.add(dice -> paths(dice, path -> path.duplicate((int) dice.between(50, 500)), 50, 900));
    all.add(dice -> paths(dice, path -> path.corrupt((int) dice.between(1, 9)), 1, 2));
    all.add(dice -> paths(dice, path -> path.delay(dice.below(900_000), 900_000), 50, 900));
    all.add(this::cut);
    all.add(this::alone);
    all.add(this::alone);
    all.add(dice -> nic(dice, true).swallowCompletions((int) dice.between(1, 3)));
    return all;
  }

  /** What the port, the device or its queues tell of by themselves. */
  @Override
  public List<OwnTrouble> ownTroubles() {
    return List.of(
        this::down,
        this::down,
        this::flap,
        this::breakOne,
        this::broken,
        this::overrun,
        (node, rail, dice) -> nic(node, rail).changeLid((int) dice.between(1, 99)),
        (node, rail, dice) -> nic(node, rail).stall((int) dice.between(1, 3)),
        this::resetOne,
        this::deaf,
        (node, rail, dice) -> nic(node, rail).refusePosts((int) dice.between(1, 3)),
        (node, rail, dice) -> nic(node, rail).changeGid(another(node, rail)));
  }

  /** One without a port is left out, and the others are counted without it. */
  @Override
  public boolean numbersItsRails() {
    return false;
  }

  @Override
  public boolean knowsItsRails(String transport) {
    return transport.equals("rdma");
  }

  /** The way from a node's rail to the same rail of another. */
  SoftPath path(SimNode from, SimNode to, int rail) {
    return fabric.path(machines.get(from.index())[rail], machines.get(to.index())[rail]);
  }

  /** Never tells a node of its rail's next completions. */
  void swallow(SimNode node, int rail, int count) {
    machines.get(node.index())[rail].swallowCompletions(count);
  }

  /** All queue pairs of a rail break. */
  void breakAll(SimNode node, int rail) {
    var nic = machines.get(node.index())[rail];
    nic.qpNumbers().forEach(nic::breakQp);
  }

  NetTroubles net() {
    return net;
  }

  SoftNic nic(SimNode node, int rail) {
    return machines.get(node.index())[rail];
  }

  /** Anybody's; what it does may look as if its path, or the other end, did it. */
  private SoftNic nic(Dice dice, boolean unseen) {
    int machine = (int) dice.below(machines.size());
    int rail = (int) dice.below(2);
    var host = cluster.node(machine).host();
    cluster.harm().rail(host, rail);
    if (unseen) {
      cluster.harm().around(host, rail, cluster.network().hosts());
    }
    return machines.get(machine)[rail];
  }

  private void cut(Dice dice) {
    fabric.cut(nic(dice, true), nic(dice, true));
  }

  private Gid another(SimNode node, int rail) {
    var gid = nic(node, rail).gid();
    return new Gid(gid.high(), gid.low() + (1 << 16));
  }

  private void paths(Dice dice, Consumer<SoftPath> fault, long fromMillis, long toMillis) {
    long count = dice.between(1, 3);
    for (int i = 0; i < count; i++) {
      int from = (int) dice.below(machines.size());
      int to = (from + 1 + (int) dice.below(machines.size() - 1)) % machines.size();
      int rail = (int) dice.below(2);
      var path = fabric.path(machines.get(from)[rail], machines.get(to)[rail]);
      cluster.harm().path(cluster.node(from).host(), rail, cluster.node(to).host(), rail);
      fault.accept(path);
      cluster.after(Cluster.MILLI * dice.between(fromMillis, toMillis), () -> mend(path));
    }
  }

  /** Data stay in the network while no word gets through: what is given up is not known there. */
  private void alone(Dice dice) {
    int from = (int) dice.below(machines.size());
    int to = (from + 1 + (int) dice.below(machines.size() - 1)) % machines.size();
    int rail = (int) dice.below(2);
    var path = fabric.path(machines.get(from)[rail], machines.get(to)[rail]);
    cluster.harm().path(cluster.node(from).host(), rail, cluster.node(to).host(), rail);
    long words = Cluster.MILLI * dice.between(100, 900);
    path.hold();
    net.silence(cluster.node(from).host(), cluster.node(to).host(), words);
    // Around the time when words get through again.
    cluster.after(words - 50 * Cluster.MILLI + dice.below(100 * Cluster.MILLI), () -> mend(path));
  }

  private static void mend(SoftPath path) {
    path.delay(LATENCY, LATENCY);
    path.heal();
  }

  private void down(SimNode node, int rail, Dice dice) {
    var nic = nic(node, rail);
    cluster.mark(Mark.LINK_LOST);
    nic.down();
    cluster.after(Cluster.MILLI * dice.between(20, 1500), nic::restore);
  }

  private void flap(SimNode node, int rail, Dice dice) {
    var nic = nic(node, rail);
    cluster.mark(Mark.LINK_FLAPPED);
    long at = 0;
    for (long i = dice.between(2, 4); i > 0; i--) {
      cluster.after(at, nic::down);
      at += Cluster.MILLI * dice.between(1, 200);
      cluster.after(at, nic::restore);
      at += Cluster.MILLI * dice.between(1, 200);
    }
  }

  /** The device is of no use any more until somebody brings it back. */
  private void broken(SimNode node, int rail, Dice dice) {
    if (!node.breaks(rail)) {
      return;
    }
    cluster.mark(Mark.DEVICE_BROKEN);
    nic(node, rail).fatal();
  }

  /** Its queues break; now and then it cannot be opened anew at once. */
  private void overrun(SimNode node, int rail, Dice dice) {
    cluster.mark(Mark.QUEUE_BROKEN);
    var nic = nic(node, rail);
    nic.overrun();
    if (dice.below(3) == 0) {
      nic.refuseOpens(VerbsException.EIO);
      cluster.after(Cluster.MILLI * dice.between(300, 1200), () -> nic.refuseOpens(0));
    }
  }

  /** Its port is active, and nothing gets through. */
  private void deaf(SimNode node, int rail, Dice dice) {
    var nic = nic(node, rail);
    cluster.harm().around(node.host(), rail, cluster.network().hosts());
    nic.down();
    cluster.after(
        Cluster.MILLI * dice.between(20, 300),
        () -> {
          nic.deaf(true);
          nic.restore();
        });
    cluster.after(Cluster.MILLI * dice.between(300, 1500), () -> nic.deaf(false));
  }

  /** A foreign hand resets one of its queue pairs. */
  private void resetOne(SimNode node, int rail, Dice dice) {
    var nic = nic(node, rail);
    var numbers = nic.qpNumbers();
    if (!numbers.isEmpty()) {
      cluster.harm().around(node.host(), rail, cluster.network().hosts());
      nic.resetQp(numbers.get((int) dice.below(numbers.size())));
    }
  }

  private void breakOne(SimNode node, int rail, Dice dice) {
    var nic = nic(node, rail);
    var numbers = nic.qpNumbers();
    if (!numbers.isEmpty()) {
      nic.breakQp(numbers.get((int) dice.below(numbers.size())));
    }
  }

  @Override
  public void heal() {
    net.heal();
    fabric.paths().forEach(RdmaFabric::mend);
    for (var nic : fabric.nics()) {
      nic.restore();
      nic.refusePosts(0);
      nic.swallowCompletions(0);
      nic.stall(0);
      nic.refuseOpens(0);
      nic.deaf(false);
    }
  }

  @Override
  public Set<Mark> marks() {
    return MARKS;
  }
}

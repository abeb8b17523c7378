package dev.shunt.runtime.sim;

import dev.shunt.api.Access;
import dev.shunt.api.Segment;
import dev.shunt.api.sim.SimHost;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.spi.Transport;
import dev.shunt.runtime.engine.EngineProbe;
import dev.shunt.runtime.engine.RuntimeFactory;
import dev.shunt.runtime.engine.ShuntEngine;
import dev.shunt.runtime.memory.RegisteredBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A node: a host, and on it one process after another. */
final class SimNode implements Place {
  private final Cluster cluster;
  private final int index;
  private final SimHost host;
  private final Ground ground;
  private final List<String> addresses;
  private SimProcess process;
  private ShuntEngine engine;
  private EngineProbe probe;
  private Guard guard;
  private CheckedProvider provider;
  private RegisteredBuffer swing;
  private int registered;
  private boolean alive;
  private Side side;
  private long thawedAt;
  private long wallOffset;
  private boolean controlHeld;
  private boolean dataHeld;
  private final Set<Integer> drained = new TreeSet<>();
  private final Set<Integer> broken = new TreeSet<>();
  final Segment[] handles;

  /** For each handle, how often the other node had registered memory when it was asked for. */
  final int[] handleAges;

  SimNode(Cluster cluster, int index, Ground ground, int places) {
    this.cluster = cluster;
    this.index = index;
    this.ground = ground;
    addresses = List.of("10.0.0." + (index + 1), "10.0.1." + (index + 1));
    host = cluster.network().host("n" + index, addresses.get(0), addresses.get(1));
    handles = new Segment[places];
    handleAges = new int[places];
  }

  /** Starts a process as all are, with an image that is older or newer than others. */
  void start(int newest, boolean fences, boolean sameAgain) {
    start(newest, cluster.sides().of(index).with(Feature.FENCE, fences ? 0 : 1), sameAgain);
  }

  /** Starts a process, with an image that is older or newer than others. */
  void start(int newest, Side has, boolean sameAgain) {
    side = has;
    controlHeld = false;
    dataHeld = false;
    drained.clear();
    broken.clear();
    var values = new LinkedHashMap<String, Object>();
    values.put("control.bind", addresses);
    cluster
        .fabric()
        .config(addresses, sameAgain)
        .forEach(
            (key, value) -> values.put("transports." + cluster.fabric().id() + "." + key, value));
    side.set(cluster.fabric().id(), values);
    if (cluster.sides().plainWays()) {
      values.put("transports.tent.rails", addresses);
    } else if (!cluster.fabric().id().equals("tent")) {
      values.put("transports.tent.enable", false);
    }
    process = host.start(name());
    guard = new Guard(this);
    provider = new CheckedProvider(cluster.fabric().provider(this), guard);
    ground.renew(cluster.nextVersion());
    boolean policy = side.has(Feature.FAILOVER);
    engine =
        RuntimeFactory.start(
            cluster.setup().of(values, newest, provider, policy, guard),
            new SimPlatform(host, process, () -> wallOffset));
    probe = new EngineProbe(engine);
    alive = true;
    registered = 0;
    register(Ground.SHARED, Ground.SHARED_LENGTH, Access.REMOTE_READ_WRITE);
    register(Ground.GUARDED, Ground.GUARDED_LENGTH, Access.REMOTE_READ);
    register(Ground.LOCAL, Slab.SHARE - Ground.LOCAL, Access.LOCAL);
    registerSwing();
  }

  private void register(int at, int length, Access access) {
    engine
        .registerAsync(ground.range(at, length), access)
        .whenComplete((buffer, failure) -> registered(failure));
  }

  /** Registers what was registered before, anew. */
  void registerSwing() {
    engine
        .registerAsync(ground.range(Ground.SWING, Ground.SWING_LENGTH), Access.REMOTE_READ_WRITE)
        .whenComplete(
            (buffer, failure) -> {
              swing = buffer;
              registered(failure);
            });
  }

  private void registered(Throwable failure) {
    if (failure != null) {
      cluster.broken(this + " could not register: " + failure);
    }
    registered++;
  }

  /** The buffer that is registered now and then; null while it is not. */
  RegisteredBuffer swing() {
    return swing;
  }

  void swing(RegisteredBuffer buffer) {
    swing = buffer;
  }

  /** How often its process has registered memory. */
  @Override
  public int registered() {
    return registered;
  }

  boolean ready() {
    return alive && registered >= 4;
  }

  /** Ends the process. */
  void die(SimProcess.Death death) {
    cluster.harm().host(host);
    alive = false;
    swing = null;
    if (death == SimProcess.Death.VANISHED) {
      host.powerOff(process);
    } else {
      process.die(death);
    }
  }

  @Override
  public void freeze() {
    cluster.harm().host(host);
    process.freeze();
  }

  @Override
  public void thaw() {
    if (process.frozen()) {
      thawedAt = cluster.world().now();
      process.thaw();
    }
  }

  @Override
  public boolean frozen() {
    return process.frozen();
  }

  /** Its control plane stands still, while data are moved; or goes on. */
  void holdControl(boolean still) {
    controlHeld = still;
    hold("control"::equals, still);
  }

  /** Its lanes and supervisors stand still, while the control plane answers; or go on. */
  void holdData(boolean still) {
    dataHeld = still;
    hold(name -> name.contains("-lane-") || name.endsWith("-supervisor"), still);
  }

  private void hold(Predicate<String> which, boolean still) {
    if (!still) {
      thawedAt = cluster.world().now();
    }
    process.hold(which, still);
  }

  /** Whether transfers of its own have nobody who drives them. */
  boolean dataStandsStill() {
    return dataHeld || frozen();
  }

  /** Whether its control plane does not answer. */
  boolean controlStandsStill() {
    return controlHeld || frozen();
  }

  /** Sets its host's wall clock forth or back. */
  void setClock(long millis) {
    wallOffset += millis;
  }

  /** Whether its process has such a rail, and hears what becomes of it. */
  boolean hears(int rail) {
    return cluster.fabric().knowsItsRails(cluster.fabric().id())
        && rail < provider.transport().rails();
  }

  /** An operator takes a rail out of use. */
  void drain(int rail) {
    drained.add(rail);
    probe.drain(cluster.fabric().id(), rail);
  }

  /** An operator brings a rail back. */
  void restore(int rail) {
    probe.restore(cluster.fabric().id(), rail);
  }

  /** A device of its process is of no use until an operator sees to it; never its last one. */
  boolean breaks(int rail) {
    return broken.isEmpty() && provider.transport().rails() > 1 && broken.add(rail);
  }

  /**
   * The first byte that changed and should not have; -1 if there is none. Where a way cannot be
   * fenced, what is late may have come at any time, and in pieces that no fabric tells of.
   */
  int changed(int from, int length) {
    int at = ground.changed(from, length);
    while (at >= 0 && cluster.sides().plainWays() && cluster.story().meant(this, at, 1)) {
      cluster.mark(Mark.LATE_WRITE);
      ground.taintForGood(at, 1);
      at = ground.changed(from, length);
    }
    return at;
  }

  /** An operator brings back what was drained; or all, where nothing comes back by itself. */
  void restore(boolean all) {
    var rails = all ? probe.inactiveRails(cluster.fabric().id()) : List.copyOf(drained);
    rails.forEach(this::restore);
  }

  /** Whether its rails are in use. */
  boolean allRailsActive() {
    return probe.inactiveRails(cluster.fabric().id()).isEmpty();
  }

  /** Whether an operator took a rail out of use. */
  boolean drained(String transport, int rail) {
    return transport.equals(cluster.fabric().id()) && drained.contains(rail);
  }

  /** When it last began to run again. */
  long thawedAt() {
    return thawedAt;
  }

  /** A fabric, or a peer's request, changes memory that others may reach. */
  void changing(int at, int length, String who) {
    if (ground.mayChange(at, length, generation())) {
      return;
    }
    if (cluster.sides().plainWays() && cluster.story().meant(this, at, length)) {
      // By a way that nobody can fence, what was redone or given up may come whenever it likes.
      cluster.mark(Mark.LATE_WRITE);
      ground.taintForGood(at, length);
    } else {
      cluster.broken(
          this + ": [" + at + ", +" + length + ") changes by " + who + ", and no write is open");
    }
  }

  /** Whether an offset lies in what its model knows. */
  boolean owns(int at) {
    return at >= 0 && at < Slab.SHARE;
  }

  int offset(long address) {
    return (int) (address - ground.memory().address());
  }

  String name() {
    return host.name();
  }

  @Override
  public long address() {
    return ground.memory().address();
  }

  @Override
  public int block() {
    return 1;
  }

  @Override
  public int buffers() {
    return swing == null ? 2 : 3;
  }

  @Override
  public boolean holdsForWriting(int at, int length) {
    return guard.holdsForWriting(at, length);
  }

  /** By what name others open it. */
  @Override
  public String segment() {
    return addresses.getFirst() + ":" + Setup.PORT;
  }

  @Override
  public int index() {
    return index;
  }

  Cluster cluster() {
    return cluster;
  }

  @Override
  public SimHost host() {
    return host;
  }

  SimProcess process() {
    return process;
  }

  @Override
  public Ground ground() {
    return ground;
  }

  ShuntEngine engine() {
    return engine;
  }

  EngineProbe probe() {
    return probe;
  }

  Guard guard() {
    return guard;
  }

  Transport transport() {
    return provider.transport().inner();
  }

  @Override
  public boolean alive() {
    return alive;
  }

  /** What others are told: a process that does not say what it is has none. */
  @Override
  public long generation() {
    return side.has(Feature.EXTENSION) ? engine.generation() : 0;
  }

  /** What its process has. */
  Side side() {
    return side;
  }

  @Override
  public String toString() {
    return name();
  }
}

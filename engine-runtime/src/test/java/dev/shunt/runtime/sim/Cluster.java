package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Dice;
import dev.shunt.api.sim.Rings;
import dev.shunt.api.sim.SimNetwork;
import dev.shunt.api.sim.World;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.event.Level;

/** Nodes in a world of one seed, with what watches them. */
final class Cluster {
  static final long MILLI = 1_000_000L;
  static final long SECOND = 1000 * MILLI;

  /** How late an end may be told: some turns of a lane. */
  static final long SLACK = MILLI;

  /** What is kept from one seed to the next, on one thread. */
  static final class Workshop {
    final Setup setup;
    private final int most;
    private final Slab slab;
    private final List<Ground> grounds = new ArrayList<>();
    private final Rings rings = new Rings();

    Workshop(Setup setup, int nodes) {
      this.setup = setup;
      most = nodes;
      slab = new Slab(nodes);
      for (int i = 0; i < nodes; i++) {
        grounds.add(new Ground(slab.of(i)));
      }
    }
  }

  private final Workshop workshop;
  private final World world;
  private final SimNetwork network;
  private final Fabric fabric;
  private final List<SimNode> nodes = new ArrayList<>();
  private final Set<Mark> marks = EnumSet.noneOf(Mark.class);
  private final List<Place> places;
  private final List<Place> everyone;
  private final Story story;
  private long[] fencedAt;
  private long versions;
  private long slices;
  private Weakness weakness = Weakness.NONE;
  private String broken = "";
  private Sides sides = Sides.same();
  private final Harm harm = new Harm();

  Cluster(Workshop workshop, long seed, int size, Function<Cluster, Fabric> fabric) {
    this.workshop = workshop;
    world = new World(seed);
    network =
        new SimNetwork(world, workshop.rings)
            .retransmission(20 * MILLI)
            .giveUp(4 * SECOND)
            .connectTimeout(2 * SECOND)
            .buffers(1 << 10, 16 << 10);
    this.fabric = fabric.apply(this);
    story = new Story(this);
    fencedAt = new long[workshop.most * workshop.most];
    var own = this.fabric.places();
    for (int i = 0; i < size; i++) {
      nodes.add(new SimNode(this, i, workshop.grounds.get(i), own.isEmpty() ? size : own.size()));
    }
    places = List.copyOf(own.isEmpty() ? nodes : own);
    var all = new ArrayList<Place>(nodes);
    all.addAll(own);
    everyone = List.copyOf(all);
    world.memory().add(this::wrote);
    network.spare(Setup.PORT).onDamage(this::damaged);
    SimLogs.listen(Level.ERROR, (level, line) -> broken("an error was logged: " + line));
    world.check(this::check);
  }

  /** Tells each thing, to look at a failing seed. */
  void tell() {
    world.trace().tell(System.out::println);
    SimLogs.listen(
        Level.DEBUG,
        (level, line) -> {
          say(level + " " + line);
          if (level == Level.ERROR) {
            broken("an error was logged: " + line);
          }
        });
  }

  void say(String line) {
    world.trace().line(world.now(), line);
  }

  boolean told() {
    return world.trace().told();
  }

  private void check() {
    story.check();
    if (!broken.isEmpty()) {
      throw new AssertionError(broken);
    }
  }

  /** Something that always holds does not. */
  void broken(String what) {
    if (broken.isEmpty()) {
      broken = "at " + world.now() / MILLI + " ms: " + what;
    }
  }

  private void wrote(
      String who, java.lang.foreign.MemorySegment into, long offset, long length, long now) {
    if (length > 0) {
      int owner = workshop.slab.owner(into.address() + offset);
      if (owner >= 0) {
        nodes.get(owner).guard().wrote(into, offset, length, who);
      }
    }
  }

  private void damaged(dev.shunt.api.sim.SimHost from, dev.shunt.api.sim.SimHost to) {
    mark(Mark.DATA_DAMAGED);
    var one = of(from);
    var other = of(to);
    if (checksPayloads(one) && checksPayloads(other)) {
      return;
    }
    one.ground().damaged(other);
    other.ground().damaged(one);
  }

  /** Who is opened, or called, by that name; null if nobody is. */
  Place place(String name) {
    for (var place : everyone) {
      if (place.segment().equals(name)) {
        return place;
      }
    }
    for (var place : everyone) {
      for (var rail : place.host().rails()) {
        if (name.startsWith(rail.address().getHostAddress() + ":")) {
          return place;
        }
      }
    }
    return null;
  }

  /** What is broken. */
  Harm harm() {
    return harm;
  }

  private static boolean checksPayloads(Place place) {
    return !(place instanceof SimNode node) || node.side().checksPayloads();
  }

  private Place of(dev.shunt.api.sim.SimHost host) {
    for (var place : everyone) {
      if (place.host() == host) {
        return place;
      }
    }
    throw new AssertionError("nobody is on " + host.name());
  }

  /** A fence went out. */
  void fenced(SimNode from, String remote) {
    for (var node : nodes) {
      if (node.segment().equals(remote)) {
        fencedAt[from.index() * workshop.most + node.index()] = world.now();
        long back = fencedAt[node.index() * workshop.most + from.index()];
        if (back > 0 && world.now() - back < MILLI) {
          mark(Mark.FENCES_CROSSING);
        }
      }
    }
  }

  /** What its nodes have; before they start. */
  void sides(Sides some) {
    sides = some;
  }

  Sides sides() {
    return sides;
  }

  /** Breaks something: what a test is worth shows by that. */
  void weaken(Weakness by) {
    weakness = by;
  }

  Weakness weakness() {
    return weakness;
  }

  void posted(SimNode node) {
    slices++;
  }

  long slices() {
    return slices;
  }

  long nextVersion() {
    return ++versions;
  }

  void mark(Mark mark) {
    marks.add(mark);
  }

  Set<Mark> marks() {
    return marks;
  }

  void after(long nanos, Runnable task) {
    world.at(world.now() + nanos, task);
  }

  boolean until(BooleanSupplier condition, long nanos) {
    return world.runUntil(condition, nanos);
  }

  /** Starts all nodes, and waits until each has met each. */
  void start() {
    for (var node : nodes) {
      node.start(2, sides.of(node.index()), true);
    }
    if (!until(() -> nodes.stream().allMatch(SimNode::ready), 5 * SECOND)) {
      throw new AssertionError("not all memory could be registered");
    }
    for (var from : nodes) {
      for (var to : places) {
        if (from != to) {
          story.openings().open(from, to);
        }
      }
    }
    if (!until(story.openings()::allOpen, 5 * SECOND)) {
      throw new AssertionError("not all nodes met");
    }
  }

  SimNode node(int index) {
    return nodes.get(index);
  }

  SimNode other(SimNode node, Dice dice) {
    return nodes.get((node.index() + 1 + (int) dice.below(nodes.size() - 1)) % nodes.size());
  }

  /** Something that a node reaches. */
  Place place(SimNode from, Dice dice) {
    var place = places.get((int) dice.below(places.size()));
    return place != from ? place : places.get((place.index() + 1) % places.size());
  }

  /** What nodes reach. */
  List<Place> places() {
    return places;
  }

  /** Nodes, and what else can die. */
  List<Place> everyone() {
    return everyone;
  }

  List<SimNode> nodes() {
    return nodes;
  }

  int size() {
    return nodes.size();
  }

  World world() {
    return world;
  }

  SimNetwork network() {
    return network;
  }

  Fabric fabric() {
    return fabric;
  }

  Setup setup() {
    return workshop.setup;
  }

  Story story() {
    return story;
  }
}

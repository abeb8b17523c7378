package dev.shunt.transport.nof;

import com.typesafe.config.Config;
import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.RealStage;
import dev.shunt.api.contract.Stage;
import dev.shunt.api.contract.VirtualStage;
import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.SimNetwork;
import dev.shunt.api.sim.World;
import dev.shunt.api.spi.Attempts;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.TargetOpening;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.Wires;
import dev.shunt.transport.nof.testing.SoftOptions;
import dev.shunt.transport.nof.testing.SoftTarget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** A node with the transport and one lane; in a virtual world, with targets. */
final class Node implements TransportContext, LaneListener, RailListener {
  static final long MILLI = 1_000_000;
  static final long SECOND = 1000 * MILLI;

  final Stage stage;
  final VirtualStage virtual;
  final World world;
  final SimNetwork network;
  private final Config config;
  private final NodeSupervisor supervisor;
  private final NodeLane lane;
  private final Wires wires;
  final Transport transport;
  final List<? extends Rail> rails;
  final Arena arena = Arena.ofAuto();
  final MemorySegment memory = arena.allocate(4 << 20);
  final Map<LinkId, Answer> answers =
      new TreeMap<>((x, y) -> Long.compare(x.attempt(), y.attempt()));
  final List<String> order = new ArrayList<>();
  private long attempts;
  private int targets;

  /** What became of a connect request. */
  static final class Answer {
    Channel channel;
    Fault failed;
    Fault down;
    long at;

    boolean answered() {
      return channel != null || failed != null;
    }
  }

  /** In a virtual world; the node's host has the addresses 10.0.0.1 and 10.0.1.1. */
  Node(long seed, Map<String, ?> values) {
    this(new VirtualStage(seed), values, List.of("10.0.0.1"));
  }

  /** On real sockets. */
  Node(RealStage stage, Map<String, ?> values) {
    this(stage, values, List.of());
  }

  private Node(Stage stage, Map<String, ?> values, List<String> addresses) {
    this.stage = stage;
    virtual = stage instanceof VirtualStage it ? it : null;
    world = virtual == null ? null : virtual.world();
    network = virtual == null ? null : virtual.network();
    stage.start("a");
    wires = stage.wires("a");
    var all = new TreeMap<String, Object>(values);
    all.putIfAbsent("rails", addresses);
    config = ContractKit.config(new NofTransportProvider(), all);
    supervisor = new NodeSupervisor(wires.open("supervisor"));
    supervisor.turn = stage.actor("a", "supervisor", supervisor);
    lane = new NodeLane();
    transport = new NofTransportProvider().create(this);
    rails = transport.start(this);
    lane.driver = transport.openLane(0, this);
    lane.turn = stage.actor("a", "lane", lane);
  }

  /** A target on a port of its own, in a process of its own. */
  SoftTarget target(SoftOptions options) {
    var name = "target" + ++targets;
    var hostB = network.hosts().get(1);
    var home = hostB.start(name);
    var dice = world.dice(name);
    var target = new SoftTarget(hostB.wires(home).open(name), options, dice::below);
    target.listen(new InetSocketAddress(InetAddress.ofLiteral("10.0.0.2"), 4420 + targets));
    home.actor(
        name,
        new Actor() {
          @Override
          public int work(long now) {
            return target.work(now);
          }

          @Override
          public long nextDeadline() {
            return target.nextDeadline();
          }
        });
    return target;
  }

  TargetOpening open(String name, long patience) {
    var answer = new TargetOpening[1];
    int[] answers = new int[1];
    long begin = stage.now();
    supervisor.execute(
        () ->
            transport.openTarget(
                name,
                begin + patience,
                opening -> {
                  answer[0] = opening;
                  answers[0]++;
                }));
    await(() -> answer[0] != null, patience + 10 * MILLI);
    if (answers[0] != 1) {
      throw new AssertionError(answers[0] + " answers");
    }
    return answer[0];
  }

  Answer connect(String name, long patience) {
    return connect(name, 0, patience);
  }

  Answer connect(String name, int rail, long patience) {
    var id = new LinkId(generation(), ++attempts);
    var answer = new Answer();
    answers.put(id, answer);
    var portal = new RemoteRail("portal", 0, Map.of());
    var request =
        new ConnectRequest(
            id, new Remote.Target(name), rails.get(rail), portal, 0, stage.now() + patience);
    supervisor.execute(() -> transport.connect(request));
    return answer;
  }

  Channel up(String name) {
    var answer = connect(name, 5 * SECOND);
    await(answer::answered, 6 * SECOND);
    if (answer.channel == null) {
      throw new AssertionError("no channel: " + answer.failed);
    }
    return answer.channel;
  }

  void await(BooleanSupplier condition, long patience) {
    if (!stage.until(condition, patience)) {
      throw new AssertionError("not within " + patience / MILLI + " ms");
    }
  }

  /** Posts as the runtime does, on the lane. */
  TestSlice post(Channel channel, boolean write, long address, long length) {
    long offset = Math.min(address, memory.byteSize() - length);
    var slice = new TestSlice(this, write, memory, offset, address, length);
    lane.inside++;
    channel.post(slice, stage.now());
    channel.flush(stage.now());
    lane.inside--;
    lane.turn.run();
    return slice;
  }

  void onLane(Runnable task) {
    lane.execute(task);
  }

  void close() {
    lane.inside++;
    lane.driver.close(stage.now());
    lane.inside--;
    transport.close();
  }

  // What the transport sees.

  @Override
  public Config config() {
    return config;
  }

  @Override
  public String node() {
    return "node";
  }

  @Override
  public long generation() {
    return 77;
  }

  @Override
  public long now() {
    return stage.now();
  }

  @Override
  public long random() {
    return stage.random();
  }

  @Override
  public int lanes() {
    return 1;
  }

  @Override
  public Mailbox lane(int number) {
    return lane;
  }

  @Override
  public Supervisor supervisor() {
    return supervisor;
  }

  @Override
  public Regions regions() {
    throw new AssertionError("the initiator serves nothing");
  }

  @Override
  public ControlPlane control() {
    throw new AssertionError("a target has no control plane");
  }

  @Override
  public Wires wires() {
    return wires;
  }

  @Override
  public Attempts attempts() {
    throw new AssertionError("nothing here blocks");
  }

  // What the transport tells.

  private Answer answer(LinkId id) {
    inside();
    return answers.get(id);
  }

  private void inside() {
    if (lane.inside == 0) {
      throw new AssertionError("a report outside the lane's turns");
    }
  }

  @Override
  public void channelUp(ConnectRequest request, Channel channel) {
    var answer = answer(request.id());
    once(!answer.answered());
    answer.channel = channel;
    answer.at = stage.now();
  }

  @Override
  public void connectFailed(ConnectRequest request, Fault fault) {
    var answer = answer(request.id());
    once(!answer.answered());
    answer.failed = fault;
    answer.at = stage.now();
  }

  @Override
  public void completed(Slice slice) {
    inside();
    ((TestSlice) slice).end(null);
  }

  @Override
  public void failed(Slice slice, Fault fault) {
    inside();
    ((TestSlice) slice).end(fault);
  }

  @Override
  public void channelDown(Channel channel, Fault fault) {
    var answer = answer(channel.link().id());
    once(answer.down == null && answer.channel == channel);
    answer.down = fault;
    answer.at = stage.now();
  }

  static void once(boolean holds) {
    if (!holds) {
      throw new AssertionError("told twice, or out of order");
    }
  }

  @Override
  public void inactive(Rail rail, RailLoss loss, Fault cause) {}

  @Override
  public void returned(Rail rail) {}

  @Override
  public void changed(Rail rail) {}
}

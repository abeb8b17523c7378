package dev.shunt.transport.rdma.testing;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import dev.shunt.api.Access;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.Verdict;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.transport.rdma.RdmaTransport;
import dev.shunt.transport.rdma.verbs.Verbs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * A node without an engine, for tests of what only this transport has: one lane, and a control
 * plane that a test may listen to and tamper with. Whoever owns it gives it turns.
 */
public final class TestNode implements Supervisor, ControlPlane {
  private static final long MILLI = 1_000_000;

  private final String name;
  private final long generation;
  private final Config config;
  private final LongSupplier clock;
  private final Map<String, TestNode> directory;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final ArrayDeque<Runnable> laneTasks = new ArrayDeque<>();
  private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
  private final Map<Integer, RequestHandler> functions = new HashMap<>();
  private final RdmaTransport transport;
  private final List<? extends Rail> rails;
  private final LaneDriver driver;
  private long alarmsSet;
  private long links;
  private boolean ended;

  /** What happened, in words, in the order of its happening. */
  public final List<String> log = new ArrayList<>();

  /** What the rails' listener heard. */
  public final List<String> railLog = new ArrayList<>();

  /** Answers to connects. */
  public final Map<LinkId, Channel> channels = new HashMap<>();

  /** Answers to connects that failed. */
  public final Map<LinkId, Fault> refusals = new HashMap<>();

  /** What ended channels. */
  public final Map<LinkId, Fault> downs = new HashMap<>();

  /** Slices that were reported, with null for those that completed. */
  public final Map<Slice, Fault> reports = new HashMap<>();

  /** What this node has of notifications. */
  public final TestNotify notifications = new TestNotify(log);

  /** How long answers of this node's control plane are held back. */
  public long replyDelay;

  /** What was told of rails that are lost. */
  public final List<RailLoss> losses = new ArrayList<>();

  /** Whether an answer that comes after the caller's deadline is dropped, as it should be. */
  public boolean dropLate = true;

  /** Calls that may block. */
  public final TestAttempts attempts = new TestAttempts(this);

  /** What this node takes as agreed with all others. */
  public Verdict verdict = Verdict.PLAIN;

  /** Changes what this node answers. */
  public UnaryOperator<byte[]> answers = UnaryOperator.identity();

  /** Sees what is asked of this node. */
  public Consumer<byte[]> onAsked = request -> {};

  private record Alarm(long time, long order, Runnable task) implements Comparable<Alarm> {
    @Override
    public int compareTo(Alarm other) {
      return time != other.time ? Long.compare(time, other.time) : Long.compare(order, other.order);
    }
  }

  /** A started node with one lane. */
  public TestNode(
      String name,
      long generation,
      Verbs verbs,
      LongSupplier clock,
      Map<String, TestNode> directory,
      Map<String, ?> settings) {
    this.name = name;
    this.generation = generation;
    this.clock = clock;
    this.directory = directory;
    var values =
        ConfigFactory.defaultReference(TestNode.class.getClassLoader())
            .getConfig("shunt.transports.rdma");
    for (var entry : settings.entrySet()) {
      values = values.withValue(entry.getKey(), ConfigValueFactory.fromAnyRef(entry.getValue()));
    }
    config = values.resolve();
    directory.put(name, this);
    transport = new RdmaTransport(new TestContext(this), verbs);
    rails = transport.start(new Rails());
    driver = transport.openLane(0, new Lane());
  }

  /** The transport on it. */
  public RdmaTransport transport() {
    return transport;
  }

  /** Its rails. */
  public List<? extends Rail> rails() {
    return rails;
  }

  /** Its lane's driver. */
  public LaneDriver driver() {
    return driver;
  }

  /** Does all that is due; answers how much that was. */
  public int turn() {
    int done = 0;
    long now = clock.getAsLong();
    while (!alarms.isEmpty() && alarms.peek().time() <= now) {
      alarms.poll().task().run();
      done++;
    }
    for (var task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
      done++;
    }
    return done + laneTurn();
  }

  /** What the lane does, while the supervisor is late. */
  public int laneTurn() {
    int done = 0;
    for (var task = laneTasks.poll(); task != null; task = laneTasks.poll()) {
      task.run();
      done++;
    }
    return ended ? done : done + driver.work(clock.getAsLong());
  }

  /** When it next has something to do. */
  public long next() {
    long next = ended ? Long.MAX_VALUE : driver.nextDeadline();
    return alarms.isEmpty() ? next : Math.min(next, alarms.peek().time());
  }

  /** Registers memory on all rails. */
  public TestMemory register(MemorySegment memory, Access access) {
    var keys = new ArrayList<RegionKey>();
    var region = new TestMemory(memory, access, keys);
    for (var rail : rails) {
      keys.add(transport.register(rail, region));
    }
    return region;
  }

  /** Asks for a channel; the answer shows up under the link's id. */
  public LinkId connect(TestNode peer, int localRail, int remoteRail, long within) {
    return connect(peer, peer.generation, localRail, remoteRail, within);
  }

  /** The same, where the peer is believed to be of another generation; 0 for a plain one. */
  public LinkId connect(
      TestNode peer, long peerGeneration, int localRail, int remoteRail, long within) {
    var id = new LinkId(generation, ++links);
    transport.connect(request(id, peer, peerGeneration, localRail, remoteRail, within));
    return id;
  }

  /** From now on it takes notifications, of a protocol at most. */
  public TestNode notifying(int protocol) {
    transport.openNotify(0, protocol, notifications);
    return this;
  }

  /** Asks for a port; the answer shows up in {@link #notifications} under the link's id. */
  public LinkId openPort(TestNode peer, int localRail, int remoteRail, long within) {
    return openPort(peer, peer.generation, localRail, remoteRail, within);
  }

  /** The same, where the peer is believed to be of another generation; 0 for a plain one. */
  public LinkId openPort(
      TestNode peer, long peerGeneration, int localRail, int remoteRail, long within) {
    var id = new LinkId(generation, ++links);
    transport.openPort(request(id, peer, peerGeneration, localRail, remoteRail, within));
    return id;
  }

  private ConnectRequest request(
      LinkId id, TestNode peer, long peerGeneration, int localRail, int remoteRail, long within) {
    var rail = peer.rails.get(remoteRail);
    return new ConnectRequest(
        id,
        new Remote.Node(peer.name, peerGeneration, peerGeneration == 0 ? Verdict.PLAIN : verdict),
        rails.get(localRail),
        new RemoteRail(rail.name(), rail.index(), rail.attributes()),
        0,
        now() + within);
  }

  /** Posts a slice between whole registered ranges. */
  public TestSlice post(
      LinkId id, boolean write, TestMemory local, TestMemory remote, long offset, long length) {
    var piece = postOnly(channels.get(id), write, local, remote, offset, length);
    channels.get(id).flush(now());
    return piece;
  }

  /** The same, without a flush. */
  public TestSlice postOnly(
      Channel channel,
      boolean write,
      TestMemory local,
      TestMemory remote,
      long offset,
      long length) {
    int localRail = channel.link().local().index();
    int remoteRail = channel.link().remoteRail().index();
    var piece =
        new TestSlice(
            write,
            local,
            offset,
            length,
            local.keys().get(localRail),
            remote.address() + offset,
            remote.keys().get(remoteRail).remoteKey(),
            Long.MAX_VALUE);
    channel.post(piece, now());
    return piece;
  }

  /** Posts a slice of whatever remote memory, by whatever key. */
  public TestSlice postWith(
      LinkId id, boolean write, TestMemory local, long remoteAddress, long remoteKey, long length) {
    var channel = channels.get(id);
    var key = local.keys().get(channel.link().local().index());
    var piece =
        new TestSlice(write, local, 0, length, key, remoteAddress, remoteKey, Long.MAX_VALUE);
    channel.post(piece, now());
    channel.flush(now());
    return piece;
  }

  /** Has a rail checked; what was found is added to a list. */
  public void check(int rail, boolean anew, long within, List<Optional<Fault>> found) {
    transport.check(rails.get(rail), anew, now() + within, found::add);
  }

  /** Closes it in order. */
  public void close() {
    driver.close(now());
    ended = true;
    transport.close();
  }

  /** Calls what this node serves, as a peer would. */
  public void ask(int function, byte[] request, Consumer<byte[]> answer) {
    onAsked.accept(request);
    functions.get(function).handle(request, reply -> answer.accept(answers.apply(reply)));
  }

  long now() {
    return clock.getAsLong();
  }

  Config config() {
    return config;
  }

  String name() {
    return name;
  }

  long generation() {
    return generation;
  }

  long draw() {
    return ++alarmsSet;
  }

  void onLane(Runnable task) {
    laneTasks.add(task);
  }

  @Override
  public WireLoop wires() {
    throw new UnsupportedOperationException("no streams here");
  }

  @Override
  public boolean execute(Runnable task) {
    return tasks.add(task);
  }

  @Override
  public Timer at(long time, Runnable task) {
    var alarm = new Alarm(time, ++alarmsSet, task);
    alarms.add(alarm);
    return () -> alarms.remove(alarm);
  }

  @Override
  public void call(
      Remote.Node peer, int function, byte[] request, long deadline, ReplyHandler handler) {
    log.add("call " + function + " of " + peer.name());
    var target = directory.get(peer.name());
    boolean[] over = {false};
    at(
        deadline,
        () -> {
          if (!over[0]) {
            over[0] = true;
            handler.failed(
                new Fault(
                    Fault.Blame.REMOTE,
                    FailureCode.DEADLINE,
                    Fault.Effect.NONE,
                    "no answer of " + peer.name()));
          }
        });
    target.at(
        target.now() + MILLI,
        () ->
            target.ask(
                function,
                request,
                answer ->
                    at(
                        now() + MILLI + target.replyDelay,
                        () -> {
                          if (!over[0] || !target.dropLate) {
                            over[0] = true;
                            handler.reply(answer);
                          }
                        })));
  }

  @Override
  public void serve(int function, RequestHandler handler) {
    functions.put(function, handler);
  }

  private final class Lane implements LaneListener {
    @Override
    public void channelUp(ConnectRequest request, Channel channel) {
      log.add("up " + request.id().attempt());
      channels.put(request.id(), channel);
    }

    @Override
    public void connectFailed(ConnectRequest request, Fault fault) {
      log.add("refused " + request.id().attempt());
      refusals.put(request.id(), fault);
    }

    @Override
    public void completed(Slice slice) {
      reports.put(slice, null);
    }

    @Override
    public void failed(Slice slice, Fault fault) {
      reports.put(slice, fault);
    }

    @Override
    public void channelDown(Channel channel, Fault fault) {
      log.add("down " + channel.link().id().attempt());
      downs.put(channel.link().id(), fault);
    }
  }

  private final class Rails implements RailListener {
    @Override
    public void inactive(Rail rail, RailLoss loss, Fault cause) {
      railLog.add("inactive " + rail.name() + ": " + cause.text());
      losses.add(loss);
    }

    @Override
    public void returned(Rail rail) {
      railLog.add("returned " + rail.name());
    }

    @Override
    public void changed(Rail rail) {
      railLog.add("changed " + rail.name() + " " + rail.attributes().get("gid"));
    }
  }
}

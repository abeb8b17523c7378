package dev.shunt.runtime.transport;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Limits;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailHealth.RailRecord;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.Verdict;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.control.core.EchoPage;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.transfer.Lane;
import dev.shunt.runtime.transfer.LaneServices;
import dev.shunt.runtime.transport.core.BareRails;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Checks of rails in hand-moved time, with a lane and a transport that have no thread either. What
 * becomes of a path is said by the node at its end.
 */
final class EchoBench implements LaneServices, LaneDriver, NodeServices, Transport {
  static final long SECOND = 1_000_000_000L;
  private static final int SLOT = 64;

  /** What comes back from a node. */
  enum Fate {
    /** What stands there. */
    ANSWERS,
    /** Nothing, until the time is over. */
    SILENT,
    /** That nobody listens there: at once. */
    REFUSES,
    /** That it is another process: at once, and it says nothing of a rail. */
    STRANGER
  }

  final HandMoved platform = new HandMoved();
  final List<EchoPartner> partners = new ArrayList<>();

  /** All paths that were asked for, in their order. */
  final List<ConnectRequest> asked = new ArrayList<>();

  /** Nodes that may be other processes by now. */
  final List<PathId> suspected = new ArrayList<>();

  /** The most paths that were tried at the same time. */
  int most;

  private final RailBook book;
  private final List<Fate> fates = new ArrayList<>();
  private final Journal journal = new Journal(() -> 0);
  private final Steward steward = new Steward(platform, journal);
  private final SupervisorAgent supervisor = new SupervisorAgent("t", platform.wires());
  private final Lane lane = new Lane(0, this);
  private final List<HandMoved.Named> rails;
  private final MemorySegment memory;
  private final List<ConnectRequest> connecting = new ArrayList<>();
  private final ArrayDeque<Slice> posted = new ArrayDeque<>();
  private final ArrayDeque<Channel> retired = new ArrayDeque<>();
  private int underWay;
  private long links;

  /**
   * Rails, and nobody to read.
   *
   * @param patience of a check, in nanoseconds
   */
  EchoBench(int rails, long patience) {
    this.rails =
        IntStream.range(0, rails).mapToObj(i -> new HandMoved.Named("rail" + i, i)).toList();
    this.memory = Arena.ofAuto().allocate((long) rails * EchoRoom.PLACES * SLOT);
    lane.drive(this);
    var checks = new RailChecks("t", steward, this, supervisor, List.of(lane), patience);
    var paths = steward.new PathBook("t", Optional.empty());
    book = new RailBook("t", new BareRails(), steward, new RailHands(paths, checks, this));
    checks.open(this, this.rails, book);
    book.open(this.rails);
  }

  /** A node that lends memory. */
  void partner(Fate fate, int remoteRails) {
    int number = partners.size();
    var there =
        IntStream.range(0, remoteRails)
            .mapToObj(i -> new RemoteRail("far" + i, i, Map.of()))
            .toList();
    var keys = there.stream().map(rail -> 7L).toList();
    var node = new Remote.Node("n" + number, number + 1, Verdict.PLAIN);
    partners.add(
        new EchoPartner(node, there, 4096L + number, keys, List.of("x:1"), List.of(), false));
    fates.add(fate);
  }

  /** Takes a rail out of use, has it checked, and lets time pass until that is over. */
  RailRecord check(int rail) {
    begin(rail);
    return end(rail);
  }

  /** Lets time pass until the check of a rail is over. */
  RailRecord end(int rail) {
    for (int i = 0; book.records().get(rail).checking(); i++) {
      if (i > 10_000) {
        throw new AssertionError("the check does not end");
      }
      platform.now = Math.max(platform.now, Math.min(steward.nextDeadline(), lane.nextDeadline()));
      turn();
    }
    return book.records().get(rail);
  }

  /** Begins a check, up to where it waits. */
  void begin(int rail) {
    book.drain(rail, _ -> {});
    book.restore(rail, _ -> {});
    turn();
  }

  void turn() {
    while (steward.work(platform.now) + supervisor.work(platform.now) + lane.work(platform.now)
        > 0) {
      // Until nothing is left to do.
    }
  }

  /** The nodes at the ends of the paths that were asked for from a rail. */
  List<String> read(int rail) {
    return asked.stream()
        .filter(request -> request.local().index() == rail)
        .map(request -> request.remote().name())
        .toList();
  }

  private EchoPartner partner(Remote remote) {
    return partners.stream().filter(it -> it.remote().equals(remote)).findFirst().orElseThrow();
  }

  private static Fault fault(Fault.Blame blame, FailureCode code) {
    return new Fault(blame, code, Fault.Effect.NONE, "it is so");
  }

  // ---- the lane and its driver

  @Override
  public void connect(ConnectRequest request) {
    asked.add(request);
    connecting.add(request);
    most = Math.max(most, ++underWay);
  }

  @Override
  public int work(long now) {
    int done = 0;
    for (var request : List.copyOf(connecting)) {
      var fate = fates.get(partners.indexOf(partner(request.remote())));
      if (fate != Fate.SILENT || request.deadline() - now <= 0) {
        connecting.remove(request);
        done++;
        answer(request, fate);
      }
    }
    for (var slice = posted.poll(); slice != null; slice = posted.poll()) {
      done++;
      lane.listener().completed(slice);
    }
    for (var channel = retired.poll(); channel != null; channel = retired.poll()) {
      done++;
      underWay--;
      lane.listener().channelDown(channel, fault(Fault.Blame.NEUTRAL, FailureCode.CONNECTION));
    }
    return done;
  }

  private void answer(ConnectRequest request, Fate fate) {
    switch (fate) {
      case ANSWERS -> lane.listener().channelUp(request, new End(request));
      case SILENT -> {
        underWay--;
        lane.listener().connectFailed(request, fault(Fault.Blame.NEUTRAL, FailureCode.UNREACHABLE));
      }
      case REFUSES -> {
        underWay--;
        lane.listener().connectFailed(request, fault(Fault.Blame.REMOTE, FailureCode.CONNECTION));
      }
      case STRANGER -> {
        underWay--;
        lane.listener()
            .connectFailed(request, fault(Fault.Blame.REMOTE, FailureCode.STALE_GENERATION));
      }
    }
  }

  @Override
  public long nextDeadline() {
    return connecting.stream().mapToLong(ConnectRequest::deadline).min().orElse(Long.MAX_VALUE);
  }

  private final class End implements Channel, Link {
    private final ConnectRequest request;

    End(ConnectRequest request) {
      this.request = request;
    }

    @Override
    public Link link() {
      return this;
    }

    @Override
    public int room() {
      return 1;
    }

    @Override
    public void post(Slice slice, long now) {
      var partner = partner(request.remote());
      var page = EchoPage.content(partner.remote().generation(), partner.address());
      MemorySegment.copy(
          page, 0, slice.memory(), ValueLayout.JAVA_BYTE, slice.offset(), page.length);
      posted.add(slice);
    }

    @Override
    public void flush(long now) {}

    @Override
    public boolean fence(LinkId stale, long now) {
      return false;
    }

    @Override
    public void retire(RetireReason reason, long now) {
      retired.add(this);
    }

    @Override
    public LinkId id() {
      return request.id();
    }

    @Override
    public Remote remote() {
      return request.remote();
    }

    @Override
    public Rail local() {
      return request.local();
    }

    @Override
    public RemoteRail remoteRail() {
      return request.remoteRail();
    }
  }

  @Override
  public void park(long deadline) {
    throw new IllegalStateException("no thread, no parking");
  }

  @Override
  public void wake() {}

  @Override
  public void close(long now) {}

  @Override
  public String transport() {
    return "t";
  }

  @Override
  public List<? extends Rail> rails() {
    return rails;
  }

  @Override
  public Routes routes() {
    return Routes.OPEN;
  }

  @Override
  public Journal journal() {
    return journal;
  }

  @Override
  public LinkId newLink() {
    return new LinkId(1, ++links);
  }

  // ---- the node

  @Override
  public List<EchoPartner> echoPartners(String transport) {
    return List.copyOf(partners);
  }

  @Override
  public void isThere(EchoPartner partner, long deadline, Consumer<Boolean> answer) {
    answer.accept(false);
  }

  @Override
  public Optional<EchoRoom> echoRoom(String transport, int rail, int place) {
    return Optional.of(
        new EchoRoom(() -> 3, memory, ((long) rail * EchoRoom.PLACES + place) * SLOT));
  }

  @Override
  public Platform platform() {
    return platform;
  }

  @Override
  public void descriptorChanged() {}

  @Override
  public boolean canFence(Remote remote) {
    return false;
  }

  @Override
  public String silence(Remote remote) {
    return "";
  }

  // ---- what no check asks for

  private static UnsupportedOperationException unasked() {
    return new UnsupportedOperationException("a check does not ask for this");
  }

  @Override
  public String name() {
    throw unasked();
  }

  @Override
  public String controlAddress() {
    throw unasked();
  }

  @Override
  public long generation() {
    throw unasked();
  }

  @Override
  public Regions regions() {
    throw unasked();
  }

  @Override
  public ControlPlane control(Mailbox mailbox) {
    throw unasked();
  }

  @Override
  public void fence(Remote remote, LinkId link, long deadline, Consumer<Boolean> answer) {
    throw unasked();
  }

  @Override
  public void fence(
      String transport, Remote remote, LinkId link, long deadline, Consumer<Boolean> answer) {
    throw unasked();
  }

  @Override
  public void fence(LinkId link, Consumer<Boolean> answer) {
    throw unasked();
  }

  @Override
  public void remoteIsStale(Remote remote, String text) {
    throw unasked();
  }

  @Override
  public String remoteRail(String transport, PathId path) {
    throw unasked();
  }

  @Override
  public void refused(Remote remote) {
    throw unasked();
  }

  @Override
  public void suspect(PathId path) {
    suspected.add(path);
  }

  @Override
  public void pathFailed(PathId path, long link, Fault fault) {
    throw unasked();
  }

  @Override
  public void pathSucceeded(PathId path) {
    throw unasked();
  }

  @Override
  public FailoverPolicy policy() {
    throw unasked();
  }

  @Override
  public Limits limits() {
    throw unasked();
  }

  @Override
  public List<? extends Rail> start(RailListener listener) {
    throw unasked();
  }

  @Override
  public LaneDriver openLane(int number, LaneListener listener) {
    throw unasked();
  }

  @Override
  public RegionKey register(Rail rail, Region region) {
    throw unasked();
  }

  @Override
  public void unregister(RegionKey key) {
    throw unasked();
  }

  @Override
  public void close() {
    throw unasked();
  }
}

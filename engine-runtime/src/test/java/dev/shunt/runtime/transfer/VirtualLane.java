package dev.shunt.runtime.transfer;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.SliceFailure;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.transfer.core.FlowLimits;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A lane in virtual time, whose only cost is that it copies 2 GB a second into its channels as they
 * are flushed. Each takes all that is posted, and completes it in the lane's next turn.
 */
final class VirtualLane implements LaneServices, LaneDriver, Rail, FailoverPolicy {
  static final long MIB = 1L << 20;
  static final double BYTES_A_NANO = 2;
  private static final long FOREVER = Long.MAX_VALUE / 4;
  private static final FlowLimits LIMITS =
      new FlowLimits(MIB, 64 * MIB, 1024, 32 * MIB, FOREVER, FOREVER, FOREVER, Fencing.ORDERED);

  final Lane lane = new Lane(0, this);
  final Journal journal = new Journal(() -> 0);
  long now;

  /** How often channels were flushed. */
  int flushes;

  /** How often a channel was asked whether it has room: what a flow costs that is looked at. */
  int asked;

  private final ArrayDeque<Slice> flushed = new ArrayDeque<>();
  private long links;

  VirtualLane() {
    lane.drive(this);
  }

  LaneRoute route(String name) {
    var rails = List.of(new RemoteRail("far", 0, Map.of()));
    return new LaneRoute(new Remote.Target(name), rails, LIMITS, 1_000_000);
  }

  /** A turn; answers whether something was done. */
  boolean turn() {
    return lane.work(now) > 0;
  }

  @Override
  public int work(long time) {
    int count = flushed.size();
    for (int i = 0; i < count; i++) {
      lane.listener().completed(flushed.poll());
    }
    return count;
  }

  @Override
  public long nextDeadline() {
    return Long.MAX_VALUE;
  }

  @Override
  public void park(long deadline) {
    throw new IllegalStateException("no thread, no parking");
  }

  @Override
  public void wake() {}

  @Override
  public void close(long time) {}

  private final class End implements Channel, Link {
    private final ConnectRequest request;
    private final ArrayDeque<Slice> posted = new ArrayDeque<>();

    End(ConnectRequest request) {
      this.request = request;
    }

    @Override
    public Link link() {
      return this;
    }

    @Override
    public int room() {
      asked++;
      return 1024 - posted.size();
    }

    @Override
    public void post(Slice slice, long time) {
      posted.add(slice);
    }

    @Override
    public void flush(long time) {
      flushes++;
      while (!posted.isEmpty()) {
        var slice = posted.poll();
        now += (long) (slice.length() / BYTES_A_NANO);
        flushed.add(slice);
      }
    }

    @Override
    public boolean fence(LinkId stale, long time) {
      return false;
    }

    @Override
    public void retire(RetireReason reason, long time) {
      throw new IllegalStateException("nothing is retired here: " + reason);
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
      return VirtualLane.this;
    }

    @Override
    public RemoteRail remoteRail() {
      return request.remoteRail();
    }
  }

  @Override
  public String transport() {
    return "virtual";
  }

  @Override
  public List<? extends Rail> rails() {
    return List.of(this);
  }

  @Override
  public LinkId newLink() {
    return new LinkId(1, ++links);
  }

  @Override
  public void connect(ConnectRequest request) {
    lane.execute(() -> lane.listener().channelUp(request, new End(request)));
  }

  @Override
  public void fence(Remote remote, LinkId link, long deadline, Consumer<Boolean> answer) {
    throw new IllegalStateException("nothing fails here");
  }

  @Override
  public void pathFailed(PathId path, long link, Fault fault) {
    throw new IllegalStateException("nothing fails here");
  }

  @Override
  public void pathSucceeded(PathId path) {}

  @Override
  public void remoteIsStale(Remote remote, String text) {
    throw new IllegalStateException("nothing is stale here");
  }

  @Override
  public void refused(Remote remote) {
    throw new IllegalStateException("nothing is refused here");
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
  public FailoverPolicy policy() {
    return this;
  }

  @Override
  public Decision decide(SliceFailure failure) {
    throw new IllegalStateException("nothing fails here");
  }

  @Override
  public PathHealth paths(String transport) {
    throw new IllegalStateException("nothing fails here");
  }

  @Override
  public String name() {
    return "near";
  }

  @Override
  public int index() {
    return 0;
  }

  @Override
  public Map<String, String> attributes() {
    return Map.of();
  }
}

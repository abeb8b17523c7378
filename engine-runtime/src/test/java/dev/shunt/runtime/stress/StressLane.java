package dev.shunt.runtime.stress;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
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
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.agent.ThreadPlatform;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.transfer.Lane;
import dev.shunt.runtime.transfer.LaneServices;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A lane with a thread of its own, on channels in memory that end slices well, late or badly. */
final class StressLane implements LaneServices, LaneDriver, Rail, FailoverPolicy {
  private static final int DEPTH = 4;

  final Lane lane;
  private final Journal journal = new Journal(System::currentTimeMillis);
  private final SplittableRandom chance;
  private final AtomicLong links = new AtomicLong();
  private final AtomicLong word = new AtomicLong();
  private final Semaphore wakes = new Semaphore(0);
  private final List<End> ends = new ArrayList<>();
  private final boolean shares;

  /** How often a slice that failed sends its request by the other way, in a hundred. */
  int moves;

  /** What the steward says. */
  volatile Supplier<Routes> steward = () -> Routes.OPEN;

  private Platform.Running running;

  StressLane(int number, SplittableRandom chance) {
    this.chance = chance;
    this.shares = chance.nextBoolean();
    this.lane = new Lane(number, this);
    lane.drive(this);
  }

  void start() {
    running = new ThreadPlatform("stress-").start(lane);
  }

  void stop() {
    running.stop(_ -> {});
  }

  boolean ended() throws InterruptedException {
    return running.join(TimeUnit.SECONDS.toNanos(10));
  }

  // ---- the driver

  @Override
  public int work(long now) {
    int done = 0;
    for (int i = ends.size() - 1; i >= 0; i--) {
      done += ends.get(i).work();
    }
    return done;
  }

  @Override
  public long nextDeadline() {
    return Long.MAX_VALUE;
  }

  @Override
  public void park(long deadline) {
    try {
      var nanos = deadline == Long.MAX_VALUE ? Long.MAX_VALUE : deadline - System.nanoTime();
      if (wakes.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
        wakes.drainPermits();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean postsWhileParked() {
    return shares;
  }

  @Override
  public void wake() {
    wakes.release();
  }

  @Override
  public void close(long now) {
    for (var end : List.copyOf(ends)) {
      end.down();
    }
  }

  /** A channel. */
  private final class End implements Channel, Link {
    private final ConnectRequest request;
    private final ArrayDeque<Slice> posted = new ArrayDeque<>();
    private boolean retired;

    End(ConnectRequest request) {
      this.request = request;
    }

    int work() {
      if (retired) {
        down();
        return 1;
      }
      int count = posted.isEmpty() ? 0 : 1 + chance.nextInt(posted.size());
      for (int i = 0; i < count; i++) {
        if (chance.nextInt(100) == 0) {
          lane.listener().failed(posted.poll(), fault(FailureCode.DEVICE));
        } else {
          lane.listener().completed(posted.poll());
        }
      }
      if (chance.nextInt(200) == 0) {
        down();
      }
      return count;
    }

    void down() {
      ends.remove(this);
      while (!posted.isEmpty()) {
        lane.listener().failed(posted.poll(), fault(FailureCode.CONNECTION));
      }
      lane.listener().channelDown(this, fault(FailureCode.CONNECTION));
    }

    @Override
    public Link link() {
      return this;
    }

    @Override
    public int room() {
      return retired ? 0 : DEPTH - posted.size();
    }

    @Override
    public void post(Slice slice, long now) {
      posted.add(slice);
      if (shares) {
        // By a caller, as likely as not: only a turn ends slices here.
        StressLane.this.wake();
      }
    }

    @Override
    public void flush(long now) {}

    @Override
    public boolean fence(LinkId stale, long now) {
      return !retired;
    }

    @Override
    public void retire(RetireReason reason, long now) {
      retired = true;
      StressLane.this.wake();
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
      return StressLane.this;
    }

    @Override
    public RemoteRail remoteRail() {
      return request.remoteRail();
    }
  }

  private static Fault fault(FailureCode code) {
    return new Fault(Fault.Blame.REMOTE, code, Fault.Effect.POSSIBLE, "as the test will have it");
  }

  // ---- the services

  @Override
  public String transport() {
    return "stress";
  }

  @Override
  public List<? extends Rail> rails() {
    return List.of(this);
  }

  @Override
  public LinkId newLink() {
    return new LinkId(1, links.incrementAndGet());
  }

  @Override
  public void connect(ConnectRequest request) {
    lane.execute(
        () -> {
          var end = new End(request);
          ends.add(end);
          lane.listener().channelUp(request, end);
        });
  }

  @Override
  public void fence(Remote remote, LinkId link, long deadline, Consumer<Boolean> answer) {
    // Now and then a word is refused, and asked for again.
    answer.accept(word.incrementAndGet() % 3 > 0);
  }

  @Override
  public void pathFailed(PathId path, long link, Fault fault) {}

  @Override
  public void pathSucceeded(PathId path) {}

  @Override
  public void remoteIsStale(Remote remote, String text) {}

  @Override
  public void refused(Remote remote) {}

  @Override
  public Routes routes() {
    return steward.get();
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
    return failure.otherTransports() > 0 && chance.nextInt(100) < moves
        ? new Decision.NextTransport()
        : new Decision.Retry(0);
  }

  @Override
  public PathHealth paths(String transport) {
    throw new UnsupportedOperationException();
  }

  // ---- the rail

  @Override
  public String name() {
    return "rail";
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

package dev.shunt.runtime.transfer.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.Outcome;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Decision;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits.Fencing;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.SliceFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** A flow between hand-moved channels: time, answers and completions come from the test. */
final class FlowFixture {
  static final long MS = 1_000_000L;
  static final Fault LOST =
      new Fault(
          Fault.Blame.REMOTE, FailureCode.CONNECTION, Fault.Effect.POSSIBLE, "the stream broke");
  static final Fault REFUSED =
      new Fault(
          Fault.Blame.REMOTE, FailureCode.CONNECTION, Fault.Effect.NONE, "connection refused");

  final MemorySegment memory = Arena.ofAuto().allocate(1 << 20);
  final SlicePool pool = new SlicePool();
  final Map<Counter, Long> counts = new EnumMap<>(Counter.class);
  final List<FakeChannel> channels = new ArrayList<>();
  final List<Asked> asked = new ArrayList<>();
  final List<StaleLink> fencesAsked = new ArrayList<>();
  final List<String> charged = new ArrayList<>();

  /** Our rails that failed since one carried something. */
  final List<Integer> railFaults = new ArrayList<>();

  final Flow flow;
  Function<SliceFailure, Decision> policy = failure -> new Decision.Retry(MS);
  boolean answerConnects = true;
  int depth = 100;
  int others;
  final boolean canFence;
  boolean takesMoves = true;
  int unusable;
  String silence = "";
  Predicate<RequestState> movable = request -> true;
  RailOrder localRails;
  RailOrder remoteRails;
  final List<RequestState> moved = new ArrayList<>();
  long now = 1_000 * MS;
  int released;
  int refusals;

  /** What the remote tells of its memory by now. */
  long[] latestKeys = {11, 12, 13};

  long unfenced;
  final List<String> handedOff = new ArrayList<>();
  private long attempts;
  private long parts;

  /** A connection that was asked for. */
  record Asked(LinkId id, int localRail, int remoteRail) {}

  /** A flow of rails by rails. */
  FlowFixture(int localRails, int remoteRails, Fencing fencing) {
    this(localRails, remoteRails, fencing, true);
  }

  /** The same for a remote that can, or cannot, be asked to refuse a link. */
  FlowFixture(int localRails, int remoteRails, Fencing fencing, boolean canFence) {
    this(
        localRails,
        remoteRails,
        new FlowLimits(1000, 4000, 16, 16_000, 5_000 * MS, 2_000 * MS, 1_000 * MS, fencing),
        canFence);
  }

  /** A flow of rails by rails, with limits of its own. */
  FlowFixture(int localRails, int remoteRails, FlowLimits limits) {
    this(localRails, remoteRails, limits, true);
  }

  /** The same for a remote that can, or cannot, be asked to refuse a link. */
  FlowFixture(int localRails, int remoteRails, FlowLimits limits, boolean canFence) {
    this(localRails, IntStream.range(0, remoteRails).toArray(), limits, canFence);
  }

  /** A flow to rails of which some are in the same place. */
  FlowFixture(int localRails, int[] places, FlowLimits limits, boolean canFence) {
    this.canFence = canFence;
    flow =
        new Flow(
            "peer",
            localRails,
            places,
            limits,
            new Policy(),
            new Port(),
            pool,
            (counter, amount) -> counts.merge(counter, amount, Long::sum));
  }

  long count(Counter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  /** Submits one request for each length. */
  Ear submit(long deadlineMs, boolean write, long... lengths) {
    var ear = new Ear();
    var requests = new RequestState[lengths.length];
    for (int i = 0; i < lengths.length; i++) {
      requests[i] =
          new RequestState(
              i,
              write,
              memory,
              0,
              lengths[i],
              7_000,
              new RegionKey[] {() -> 1, () -> 2, () -> 3, () -> 4},
              new long[] {11, 12, 13},
              () -> released++);
      requests[i].rails(localRails, remoteRails);
    }
    ear.part = new Part(ear, requests, now + deadlineMs * MS, ++parts);
    flow.submit(ear.part, now);
    pump();
    return ear;
  }

  /** Whether one of our rails is in use. */
  void rail(int localRail, boolean active) {
    for (var slot : flow.paths().slots()) {
      if (slot.localRail == localRail) {
        flow.paths().activate(slot, active, now);
      }
    }
  }

  void pump() {
    // Channels that were asked for come up between two turns, as they do on a lane.
    for (int i = 0; i < 4; i++) {
      flow.pump(now);
      if (answerConnects) {
        answer();
      }
    }
  }

  void answer() {
    for (var request : List.copyOf(asked)) {
      asked.remove(request);
      var channel = new FakeChannel(request);
      channels.add(channel);
      flow.channelUp(request.id, channel, now);
    }
  }

  void refuse(Fault fault) {
    for (var request : List.copyOf(asked)) {
      asked.remove(request);
      flow.connectFailed(request.id, fault, now);
    }
  }

  void pass(long ms) {
    pump();
    now += ms * MS;
    pump();
  }

  FakeChannel channel(int index) {
    return channels.get(index);
  }

  /** What a batch hears. */
  static final class Ear implements BatchSink {
    final Map<Integer, Outcome> outcomes = new TreeMap<>();
    Part part;
    int done;
    int settled;
    boolean quarantined;
    long bytes;

    @Override
    public void requestEnded(int index, Outcome outcome) {
      if (outcomes.put(index, outcome) != null) {
        throw new AssertionError("request " + index + " ended twice");
      }
    }

    @Override
    public void progress(long more) {
      bytes += more;
    }

    @Override
    public void partDone() {
      done++;
    }

    @Override
    public void partSettled(boolean inQuarantine) {
      settled++;
      quarantined = inQuarantine;
    }

    String code(int index) {
      return outcomes.containsKey(index) ? outcomes.get(index).code() : "OPEN";
    }
  }

  /** A channel whose slices the test ends. */
  final class FakeChannel implements Channel, Link {
    final Asked asked;
    final List<PooledSlice> posted = new ArrayList<>();
    final List<Object> order = new ArrayList<>();
    final List<RetireReason> retired = new ArrayList<>();
    boolean canFence = true;

    FakeChannel(Asked asked) {
      this.asked = asked;
    }

    void complete() {
      flow.completed(posted.removeFirst(), now);
    }

    void completeAll() {
      while (!posted.isEmpty()) {
        complete();
      }
    }

    /** All that is posted fails, then the channel is down. */
    void die(Fault fault) {
      while (!posted.isEmpty()) {
        flow.failed(posted.removeFirst(), fault, now);
      }
      for (var slot : flow.paths().slots()) {
        if (asked.id.equals(slot.link)) {
          flow.channelDown(slot, fault, now);
          return;
        }
      }
    }

    @Override
    public Link link() {
      return this;
    }

    @Override
    public int room() {
      return depth - posted.size();
    }

    @Override
    public void post(Slice slice, long at) {
      posted.add((PooledSlice) slice);
      order.add(slice.remoteAddress());
    }

    @Override
    public void flush(long at) {
      order.add("flush");
    }

    @Override
    public boolean fence(LinkId stale, long at) {
      if (canFence) {
        order.add(stale);
      }
      return canFence;
    }

    @Override
    public void retire(RetireReason reason, long at) {
      retired.add(reason);
    }

    @Override
    public LinkId id() {
      return asked.id;
    }

    @Override
    public Remote remote() {
      return new Remote.Target("peer");
    }

    @Override
    public Rail local() {
      throw new UnsupportedOperationException();
    }

    @Override
    public RemoteRail remoteRail() {
      throw new UnsupportedOperationException();
    }
  }

  private final class Policy implements FailoverPolicy {
    @Override
    public Decision decide(SliceFailure failure) {
      return policy.apply(failure);
    }

    @Override
    public PathHealth paths(String transport) {
      throw new UnsupportedOperationException();
    }
  }

  private final class Port implements FlowPort {
    @Override
    public LinkId connect(int localRail, int remoteRail, long deadline) {
      var id = new LinkId(9, ++attempts);
      asked.add(new Asked(id, localRail, remoteRail));
      return id;
    }

    @Override
    public void forget(LinkId attempt) {
      asked.removeIf(request -> request.id.equals(attempt));
    }

    @Override
    public void fence(StaleLink stale, long deadline) {
      fencesAsked.add(stale);
    }

    @Override
    public void pathFailed(int localRail, int remoteRail, long link, Fault fault, long at) {
      charged.add(localRail + "->" + remoteRail);
    }

    @Override
    public void pathSucceeded(int localRail, int remoteRail, long at) {
      charged.add(localRail + "->" + remoteRail + " well");
    }

    @Override
    public void railFailed(int localRail, Fault fault) {
      railFaults.add(localRail);
    }

    @Override
    public void railCarried(int localRail) {
      railFaults.clear();
    }

    @Override
    public void remoteIsStale(String text) {
      charged.add("stale");
    }

    @Override
    public void handedOff(int localRail, int remoteRail, Slice slice, int attempt, boolean local) {
      handedOff.add(localRail + "->" + remoteRail + " " + attempt + (local ? " ours" : " theirs"));
    }

    @Override
    public void unfenced(long bytes) {
      unfenced += bytes;
    }

    @Override
    public boolean canFence() {
      return canFence;
    }

    @Override
    public String silence() {
      return silence;
    }

    @Override
    public int otherWays(RequestState request) {
      return request == null || movable.test(request) ? others : 0;
    }

    @Override
    public void move(Part part, List<RequestState> requests) {
      for (var request : requests) {
        if (takesMoves) {
          var next = new RequestState();
          request.continueAs(next, new RegionKey[] {() -> 101}, new long[] {111});
          moved.add(next);
        }
      }
    }

    @Override
    public void unusable(long at) {
      unusable++;
    }

    @Override
    public void refused() {
      refusals++;
    }

    @Override
    public long[] keys(RequestState request) {
      return latestKeys;
    }

    @Override
    public String describe(int localRail, int remoteRail) {
      return localRail + "->" + remoteRail;
    }
  }
}

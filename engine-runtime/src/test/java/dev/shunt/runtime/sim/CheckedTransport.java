package dev.shunt.runtime.sim;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Limits;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.TargetOpening;
import dev.shunt.api.spi.Transport;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The transport under test, watched from both sides of its interface. */
final class CheckedTransport implements Transport {
  private final String id;
  private final Transport inner;
  private final Guard guard;
  private int count;
  private final Map<RegionKey, Region> regions = new IdentityHashMap<>();

  CheckedTransport(String id, Transport inner, Guard guard) {
    this.id = id;
    this.inner = inner;
    this.guard = guard;
  }

  Transport inner() {
    return inner;
  }

  @Override
  public Limits limits() {
    return inner.limits();
  }

  @Override
  public List<? extends Rail> start(RailListener listener) {
    var rails = inner.start(listener);
    count = rails.size();
    return rails;
  }

  /** How many rails it has. */
  int rails() {
    return count;
  }

  @Override
  public LaneDriver openLane(int lane, LaneListener listener) {
    return inner.openLane(lane, new Watch(lane, listener));
  }

  @Override
  public RegionKey register(Rail rail, Region region) {
    var key = inner.register(rail, region);
    if (regions.put(key, region) != null) {
      // One key for all memory: nobody reaches it by that, and it tells nothing.
      regions.remove(key);
    }
    guard.registered(region);
    return key;
  }

  @Override
  public void unregister(RegionKey key) {
    inner.unregister(key);
    var region = regions.remove(key);
    if (region != null) {
      guard.unregistered(region);
    }
  }

  @Override
  public void connect(ConnectRequest request) {
    guard.bounds.asked(request);
    inner.connect(request);
  }

  @Override
  public void fence(LinkId link, Consumer<Boolean> answer) {
    guard.cluster().mark(Mark.FENCE_BY_WORD);
    inner.fence(link, answer);
  }

  @Override
  public void check(Rail rail, boolean anew, long deadline, Consumer<Optional<Fault>> answer) {
    inner.check(
        rail,
        anew,
        deadline,
        found -> {
          if (anew && found.isEmpty()) {
            guard.cluster().mark(Mark.MADE_ANEW);
          }
          answer.accept(found);
        });
  }

  @Override
  public boolean reaches(Remote.Node node) {
    return inner.reaches(node);
  }

  @Override
  public boolean owns(String segmentName) {
    return inner.owns(segmentName);
  }

  @Override
  public void openTarget(String segmentName, long deadline, Consumer<TargetOpening> answer) {
    inner.openTarget(segmentName, deadline, answer);
  }

  @Override
  public long leave() {
    return inner.leave();
  }

  @Override
  public void close() {
    inner.close();
  }

  /** Hears of a lane's channels before the runtime does. */
  final class Watch implements LaneListener {
    private final int lane;
    private final LaneListener runtime;
    private final Set<Slice> early = Collections.newSetFromMap(new IdentityHashMap<>());

    Watch(int lane, LaneListener runtime) {
      this.lane = lane;
      this.runtime = runtime;
    }

    String transport() {
      return id;
    }

    @Override
    public void channelUp(ConnectRequest request, Channel channel) {
      guard.bounds.answered(request);
      var checked = new CheckedChannel(channel, guard, this, lane);
      guard.up(checked);
      runtime.channelUp(request, checked);
    }

    @Override
    public void connectFailed(ConnectRequest request, Fault fault) {
      guard.bounds.answered(request);
      if (fault.code() == FailureCode.STALE_GENERATION) {
        guard.cluster().mark(Mark.STALE_GENERATION_AT_CONNECT);
      } else if (fault.code() == FailureCode.UNREACHABLE) {
        guard.cluster().mark(Mark.UNREACHABLE);
      }
      runtime.connectFailed(request, weakened(fault));
    }

    @Override
    public void completed(Slice slice) {
      if (early.remove(slice)) {
        return;
      }
      guard.reported(slice);
      runtime.completed(slice);
      if (guard.cluster().weakness() == Weakness.REPORTED_TWICE) {
        guard.reported(slice);
      }
    }

    @Override
    public void failed(Slice slice, Fault fault) {
      if (early.remove(slice) || forgets(fault)) {
        return;
      }
      guard.reported(slice);
      if (fault.code() == FailureCode.REMOTE_RANGE || fault.code() == FailureCode.REMOTE_ACCESS) {
        guard.cluster().mark(Mark.REFUSED_BY_RANGE_OR_KEY);
      }
      if (fault.code() == FailureCode.CONNECTION) {
        guard.cluster().mark(Mark.CHANNEL_DOWN_WITH_SLICES);
      }
      runtime.failed(slice, weakened(fault));
    }

    private boolean forgets(Fault fault) {
      return guard.cluster().weakness() == Weakness.SLICE_FORGOTTEN
          && fault.code() == FailureCode.CONNECTION;
    }

    /** Tells that a write is done which has only begun. */
    void completeEarly(Slice slice) {
      early.add(slice);
      guard.reported(slice);
      runtime.completed(slice);
    }

    private Fault weakened(Fault fault) {
      if (guard.cluster().weakness() == Weakness.OWN_FAULTS_CHARGED
          && fault.blame() == Fault.Blame.LOCAL) {
        return new Fault(
            Fault.Blame.REMOTE, fault.code(), fault.effect(), fault.text(), fault.vendorCode());
      }
      if (guard.cluster().weakness() == Weakness.OTHERS_FAULTS_OURS
          && fault.blame() == Fault.Blame.REMOTE) {
        return new Fault(
            Fault.Blame.LOCAL, fault.code(), fault.effect(), fault.text(), fault.vendorCode());
      }
      return guard.cluster().weakness() == Weakness.EFFECTS_DENIED
          ? new Fault(
              fault.blame(), fault.code(), Fault.Effect.NONE, fault.text(), fault.vendorCode())
          : fault;
    }

    @Override
    public void channelDown(Channel channel, Fault fault) {
      var checked = guard.of(channel);
      guard.down(checked);
      runtime.channelDown(checked, weakened(fault));
    }
  }
}

package dev.shunt.api.contract;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.RetireReason;

/** A channel, used as the runtime uses it. */
public final class ContractChannel {
  private final HostLane lane;
  private final Channel channel;
  private final ConnectRequest request;
  private int posted;
  private boolean retired;
  private Fault down;

  ContractChannel(HostLane lane, Channel channel, ConnectRequest request) {
    this.lane = lane;
    this.channel = channel;
    this.request = request;
  }

  HostLane lane() {
    return lane;
  }

  /** Its link's name. */
  public LinkId id() {
    return request.id();
  }

  /** The remote's rail that it leads to. */
  public int remoteRail() {
    return request.remoteRail().index();
  }

  /** How many slices it holds. */
  public int posted() {
    return posted;
  }

  /** How many more it would take. */
  public int room() {
    if (retired || down != null) {
      return 0;
    }
    int room = channel.room();
    int depth = lane.host().limits().depth();
    if (room < 0 || room + posted > depth) {
      lane.host()
          .violated("room of " + room + " beside " + posted + " posted, and a depth of " + depth);
    }
    return room;
  }

  /** Posts and flushes. */
  public void post(ContractSlice slice) {
    lane.enter();
    postOnly(slice);
    channel.flush(lane.host().stage().now());
    lane.exit();
  }

  /** Posts. On the lane, between {@link #begin} and {@link #end}. */
  void postOnly(ContractSlice slice) {
    posted++;
    slice.posted(this, slice.region().keys().get(request.local().index()));
    channel.post(slice, lane.host().stage().now());
  }

  void begin() {
    lane.enter();
  }

  void end() {
    channel.flush(lane.host().stage().now());
    lane.exit();
  }

  void reported(ContractSlice slice) {
    posted--;
    if (down != null) {
      lane.host().violated("reported after its channel was down: " + slice);
    }
  }

  void down(Fault fault) {
    if (posted != 0) {
      lane.host().violated("channelDown while " + posted + " slices are not reported");
    }
    down = fault;
  }

  /** What ended it, or null. */
  public Fault down() {
    return down;
  }

  /** Asks for a fence. */
  public boolean fence(LinkId stale) {
    lane.enter();
    boolean done = channel.fence(stale, lane.host().stage().now());
    channel.flush(lane.host().stage().now());
    lane.exit();
    return done;
  }

  /** Ends it. */
  public void retire(RetireReason reason) {
    retired = true;
    lane.enter();
    channel.retire(reason, lane.host().stage().now());
    lane.exit();
  }
}

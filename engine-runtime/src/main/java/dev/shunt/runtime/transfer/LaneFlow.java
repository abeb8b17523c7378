package dev.shunt.runtime.transfer;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.runtime.observe.PathName;
import dev.shunt.runtime.transfer.core.Flow;
import dev.shunt.runtime.transfer.core.FlowPort;
import dev.shunt.runtime.transfer.core.Part;
import dev.shunt.runtime.transfer.core.PathSlot;
import dev.shunt.runtime.transfer.core.RequestState;
import dev.shunt.runtime.transfer.core.StaleLink;
import dev.shunt.runtime.transfer.core.Timed;
import java.util.List;

/**
 * A flow's hands: what it asks for is done by the lane and the services behind it. Among the lane's
 * times it stands for when its flow wants to be looked at.
 */
final class LaneFlow extends Timed implements FlowPort {

  private final Lane lane;
  private final LaneChannels channels;
  final LaneRoute route;
  final Flow flow;
  private final LaneServices services;
  private String staleText;

  /** Whether it is among those that the lane looks at in its next turn. */
  boolean listed;

  LaneFlow(
      Lane lane, LaneChannels channels, LaneRoute route, LaneServices services, FlowMaker maker) {
    this.lane = lane;
    this.channels = channels;
    this.route = route;
    this.services = services;
    this.flow = maker.make(this);
  }

  /** Makes a flow that has this as its port. */
  interface FlowMaker {
    Flow make(FlowPort port);
  }

  /** Takes over what the steward says of paths. */
  void apply(LaneServices.Routes routes, long now) {
    for (var slot : flow.paths().slots()) {
      var until = routes.pausedUntil().get(path(slot.localRail(), slot.remoteRail()));
      flow.paths().pause(slot, until == null ? now : until);
      flow.paths().activate(slot, !routes.inactive().contains(slot.localRail()), now);
    }
  }

  /** Takes over what the remote tells of its rails. */
  void applyRemote() {
    for (var slot : flow.paths().slots()) {
      flow.paths().activateRemote(slot, !route.remoteInactive(slot.remoteRail()));
    }
  }

  /**
   * Ends the flow if its remote turned out to be another one, now that no call of it is under way.
   */
  void retireIfStale(long now) {
    if (staleText != null) {
      var text = staleText;
      staleText = null;
      flow.retire(
          FailureCode.STALE_GENERATION,
          route.remote().name() + " is another process by now, open the segment again: " + text,
          RetireReason.STALE_GENERATION,
          now);
    }
  }

  /** Tells the rest of the engine how much is in flight. */
  void tell() {
    route.inFlightBytes().lazySet(flow.inFlightBytes());
  }

  PathSlot slot(LinkId link) {
    return flow.paths().up(link);
  }

  private PathId path(int localRail, int remoteRail) {
    var generation = route.remote() instanceof Remote.Node node ? node.generation() : 0;
    return new PathId(route.remote().name(), generation, localRail, remoteRail);
  }

  @Override
  public LinkId connect(int localRail, int remoteRail, long deadline) {
    var id = services.newLink();
    channels.asked(id, this);
    services.connect(
        new ConnectRequest(
            id,
            route.remote(),
            services.rails().get(localRail),
            route.rails().get(remoteRail),
            lane.number(),
            deadline));
    return id;
  }

  @Override
  public void forget(LinkId attempt) {
    channels.forget(attempt);
  }

  @Override
  public void fence(StaleLink stale, long deadline) {
    services.fence(
        route.remote(),
        stale.id(),
        deadline,
        word ->
            lane.execute(
                () -> {
                  lane.list(this);
                  flow.fenced(stale, word, lane.now());
                }));
  }

  @Override
  public void pathUp(int localRail, int remoteRail, long link, long now) {
    services.pathUp(path(localRail, remoteRail), link);
  }

  @Override
  public void pathFailed(int localRail, int remoteRail, long link, Fault fault, long now) {
    services.pathFailed(path(localRail, remoteRail), link, fault);
  }

  @Override
  public void attemptFailed(int localRail, int remoteRail, Slice slice, int attempt, Fault fault) {
    var path = name(localRail, remoteRail);
    services.journal().attemptFailed(path, slice.write(), slice.length(), attempt, fault);
  }

  @Override
  public void handedOff(int localRail, int remoteRail, Slice slice, int attempt, boolean local) {
    var path = name(localRail, remoteRail);
    services.journal().handedOff(path, slice.write(), slice.length(), attempt, local);
  }

  @Override
  public void unfenced(long bytes) {
    services.journal().unfenced(route.remote().name(), services.transport(), bytes);
  }

  @Override
  public boolean canFence() {
    return services.canFence(route.remote());
  }

  @Override
  public String silence() {
    return services.silence(route.remote());
  }

  @Override
  public int otherWays(RequestState request) {
    return route.detour().left(request);
  }

  @Override
  public long[] keys(RequestState request) {
    return route.detour().keys(request);
  }

  @Override
  public void move(Part part, List<RequestState> requests) {
    ((LanePart) part.sink()).move(requests, route.detour());
  }

  @Override
  public void unusable(long now) {
    if (route.standing().good()) {
      services.standing(route.remote(), false, goesOn(route.detour()));
    }
    route.standing().failed(now);
  }

  /** What becomes of what is for a remote that one transport does not reach. */
  static String goesOn(Detour others) {
    return others.good()
        ? "what is for it goes by another transport"
        : "no other transport to it is known to be of use";
  }

  /** A path as people read it. */
  PathName name(int localRail, int remoteRail) {
    return new PathName(
        services.transport(),
        route.remote().name(),
        services.rails().get(localRail).name(),
        route.rails().get(remoteRail).name());
  }

  @Override
  public void pathSucceeded(int localRail, int remoteRail, long now) {
    if (!route.standing().good()) {
      services.standing(route.remote(), true, "");
      route.standing().worked();
    }
    services.pathSucceeded(path(localRail, remoteRail));
  }

  @Override
  public void railFailed(int localRail, Fault fault) {
    services.railFailed(localRail, fault);
  }

  @Override
  public void railCarried(int localRail) {
    services.railCarried(localRail);
  }

  @Override
  public void remoteIsStale(String text) {
    staleText = text;
    services.remoteIsStale(route.remote(), text);
  }

  @Override
  public void refused() {
    services.refused(route.remote());
  }

  @Override
  public String describe(int localRail, int remoteRail) {
    return services.transport()
        + " "
        + services.rails().get(localRail).name()
        + " -> "
        + route.rails().get(remoteRail).name()
        + " of "
        + route.remote().name();
  }
}

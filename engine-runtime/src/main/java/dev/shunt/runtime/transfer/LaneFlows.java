package dev.shunt.runtime.transfer;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.runtime.transfer.core.Deadlines;
import dev.shunt.runtime.transfer.core.Flow;
import dev.shunt.runtime.transfer.core.SlicePool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The flows of a lane, by route, and those among them that its next turn looks at: to which
 * something happened, or whose time has come. Only who has the lane's turn calls it.
 */
final class LaneFlows {
  private static final String CLOSED = "the engine was closed";

  private final Lane lane;
  private final LaneServices services;
  private final LaneChannels channels;
  private final LaneCounters counters;
  private final SlicePool pool = new SlicePool();
  private final Map<LaneRoute, LaneFlow> flows = new HashMap<>();
  private final List<LaneFlow> order = new ArrayList<>();
  private final ArrayDeque<LaneFlow> listed = new ArrayDeque<>();
  private final Deadlines<LaneFlow> looks = new Deadlines<>();
  private LaneServices.Routes routes = LaneServices.Routes.OPEN;
  private boolean closing;
  private boolean hurried;

  LaneFlows(Lane lane, LaneServices services, LaneChannels channels, LaneCounters counters) {
    this.lane = lane;
    this.services = services;
    this.channels = channels;
    this.counters = counters;
  }

  /** The flow of a route, or null. */
  LaneFlow known(LaneRoute route) {
    return flows.get(route);
  }

  /** The flow of a route; it is made if there is none. */
  LaneFlow flow(LaneRoute route, long now) {
    var known = flows.get(route);
    return known != null ? known : made(route, now);
  }

  private LaneFlow made(LaneRoute route, long now) {
    var made =
        new LaneFlow(
            lane,
            channels,
            route,
            services,
            port ->
                new Flow(
                    route.remote().name(),
                    services.rails().size(),
                    route.places(),
                    route.limits(),
                    services.policy(),
                    port,
                    pool,
                    counters));
    made.apply(routes, now);
    made.applyRemote();
    if (hurried) {
      made.flow.hurry();
    }
    var stale = route.stale();
    if (stale != null) {
      made.flow.retire(stale.code(), stale.message(), RetireReason.STALE_GENERATION, now);
    } else if (closing) {
      made.flow.retire(FailureCode.CLOSED, CLOSED, RetireReason.CLOSED, now);
    }
    flows.put(route, made);
    order.add(made);
    return made;
  }

  /** Something happened to a flow: it is looked at before this turn, or the next one, is over. */
  void list(LaneFlow flow) {
    if (!flow.listed) {
      flow.listed = true;
      listed.add(flow);
    }
  }

  /** How many flows the next turn looks at, as far as known. */
  int listed() {
    return listed.size();
  }

  /** When a flow wants to be looked at even if nothing happens. */
  long nextLook() {
    return looks.first();
  }

  /** Tells all flows what the steward says of paths, if that is news. */
  void apply(LaneServices.Routes latest, long now) {
    if (latest != routes) {
      routes = latest;
      for (var flow : order) {
        flow.apply(latest, now);
        list(flow);
      }
    }
  }

  /** Moves on those that are listed, or whose time has come. */
  int look(long now) {
    LaneFlow due;
    while ((due = looks.due(now)) != null) {
      list(due);
    }
    int done = 0;
    for (int i = listed.size(); i > 0; i--) {
      done += lookAtFirst(now);
    }
    return done;
  }

  /** Moves on the first that is listed; it stays listed while it waits for what gives no notice. */
  int lookAtFirst(long now) {
    var flow = listed.poll();
    flow.listed = false;
    flow.retireIfStale(now);
    int done = flow.flow.pump(now);
    flow.tell();
    if (flow.route.stale() != null && flow.flow.idle() && !flow.flow.paths().busy()) {
      order.remove(flow);
      flows.remove(flow.route);
      looks.remove(flow);
      return done;
    }
    if (flow.flow.waits()) {
      list(flow);
    }
    var next = flow.flow.nextDeadline(now);
    if (next != Long.MAX_VALUE) {
      looks.advance(flow, next);
    }
    return done;
  }

  /** The engine is about to close: none waits longer than it helps. */
  void hurry() {
    hurried = true;
    for (var flow : order) {
      flow.flow.hurry();
      list(flow);
    }
  }

  /** From here on a flow is made to end what it is given. */
  void closing() {
    closing = true;
  }

  /** Ends the traffic of all, since the lane is closed. */
  void retireAll(long now) {
    for (var flow : order) {
      flow.flow.retire(FailureCode.CLOSED, CLOSED, RetireReason.CLOSED, now);
    }
  }

  /** Moves on all, for the last time. */
  void pumpAll(long now) {
    for (var flow : order) {
      flow.flow.pump(now);
    }
  }
}

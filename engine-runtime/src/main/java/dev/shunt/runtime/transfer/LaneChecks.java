package dev.shunt.runtime.transfer;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The checks of paths that a lane is at; few at a time, and none as a rule. Only who has the lane's
 * turn calls it.
 */
public final class LaneChecks {
  private final Lane lane;
  private final LaneServices services;
  private final Map<LinkId, RailEcho> byLink = new HashMap<>();
  private final List<RailEcho> all = new ArrayList<>();

  LaneChecks(Lane lane, LaneServices services) {
    this.lane = lane;
    this.services = services;
  }

  /** Begins one: the path is connected whatever the steward says of it. */
  public void begin(
      RailEcho echo, Remote remote, Rail local, RemoteRail remoteRail, long deadline) {
    var request =
        new ConnectRequest(services.newLink(), remote, local, remoteRail, lane.number(), deadline);
    echo.begun(request);
    byLink.put(request.id(), echo);
    all.add(echo);
    services.connect(request);
  }

  /** Whose a channel is, or null if it is no check's. */
  RailEcho of(LinkId link) {
    return byLink.isEmpty() ? null : byLink.get(link);
  }

  /** Moves all of them on. */
  int look(long now) {
    int done = 0;
    for (int i = all.size() - 1; i >= 0; i--) {
      var echo = all.get(i);
      done += echo.look(now) ? 1 : 0;
      if (echo.over()) {
        all.remove(i);
        byLink.remove(echo.request().id());
      }
    }
    return done;
  }

  /** When {@link #look} is wanted. */
  long nextLook() {
    var next = Long.MAX_VALUE;
    for (int i = 0; i < all.size(); i++) {
      next = Math.min(next, all.get(i).nextLook());
    }
    return next;
  }

  /** The lane ends. */
  void close() {
    all.forEach(RailEcho::close);
  }
}

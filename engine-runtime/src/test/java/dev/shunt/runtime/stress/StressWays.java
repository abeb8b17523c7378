package dev.shunt.runtime.stress;

import dev.shunt.api.spi.RegionKey;
import dev.shunt.runtime.transfer.Detour;
import dev.shunt.runtime.transfer.LaneRoute;
import dev.shunt.runtime.transfer.core.RequestState;
import java.util.List;
import java.util.Optional;

/** Two ways to one remote, on a lane each; around one of them. */
record StressWays(List<StressLane> lanes, List<LaneRoute> routes, int around) implements Detour {
  static final RegionKey[] KEYS = {() -> 1};

  /** Joins two routes. */
  static void join(List<StressLane> lanes, List<LaneRoute> routes) {
    for (int i = 0; i < routes.size(); i++) {
      routes.get(i).detour(new StressWays(lanes, routes, i));
    }
  }

  @Override
  public int left(RequestState request) {
    return request != null && request.wentBy(1 - around) ? 0 : 1;
  }

  @Override
  public boolean good() {
    return true;
  }

  @Override
  public Optional<Turn> next(RequestState request) {
    int other = 1 - around;
    return request.wentBy(other)
        ? Optional.empty()
        : Optional.of(
            new Turn(
                lanes.get(other).lane, routes.get(other), other, null, null, KEYS, new long[0]));
  }
}

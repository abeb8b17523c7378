package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.PathId;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.agent.TaskAgent;
import dev.shunt.runtime.transfer.LaneServices.Routes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's steward: runs the policies' machines and publishes what lanes read. Does no I/O. Its
 * methods may be called on any thread; what they begin happens on the steward's.
 */
public final class Steward extends TaskAgent {
  private static final Logger LOG = LoggerFactory.getLogger(Steward.class);
  private static final int TASKS = 1 << 20;

  private final Platform platform;

  /** Without a thread yet. */
  public Steward(Platform platform) {
    super("steward", TASKS);
    this.platform = platform;
  }

  /** What it knows of one transport's paths; its methods but {@link #routes} run on the steward. */
  public final class PathBook {
    private final String transport;
    private final Optional<PathHealth> health;
    private final Map<PathId, Long> pausedUntil = new HashMap<>();
    private List<Integer> inactive = List.of();
    private volatile Routes routes = Routes.OPEN;
    private volatile Runnable published = () -> {};

    /** A book without entries; without a policy nothing is ever paused. */
    public PathBook(String transport, Optional<PathHealth> health) {
      this.transport = transport;
      this.health = health;
    }

    /** What lanes go by. Any thread. */
    public Routes routes() {
      return routes;
    }

    /** Who wants to know that {@link #routes} changed. */
    public void onPublish(Runnable listener) {
      published = listener;
    }

    /** A path failed. Any thread. */
    public void failed(PathId path, Fault fault) {
      execute(
          () ->
              health.ifPresent(
                  machine -> {
                    var now = platform.now();
                    var until = machine.failed(path, fault, now);
                    if (until - now > 0) {
                      LOG.warn(
                          "{}: path {} -> {} of {} rests for {} ms: {}",
                          transport,
                          path.localRail(),
                          path.remoteRail(),
                          path.remote(),
                          (until - now) / 1_000_000,
                          fault.text());
                      pausedUntil.put(path, until);
                      publish(now);
                    }
                  }));
    }

    /** A path works. Any thread. */
    public void succeeded(PathId path) {
      execute(() -> health.ifPresent(machine -> machine.succeeded(path, platform.now())));
    }

    /** A remote is gone. Any thread. */
    public void forget(String remote) {
      execute(
          () -> {
            health.ifPresent(machine -> machine.forget(remote));
            pausedUntil.keySet().removeIf(path -> path.remote().equals(remote));
            publish(platform.now());
          });
    }

    /** A rail of ours can, or can't, be used. Any thread. */
    public void rail(int index, boolean active) {
      execute(
          () -> {
            var next = new ArrayList<>(inactive);
            next.remove((Integer) index);
            if (!active) {
              next.add(index);
            }
            inactive = List.copyOf(next);
            publish(platform.now());
          });
    }

    private void publish(long now) {
      pausedUntil.values().removeIf(until -> until - now <= 0);
      routes = new Routes(Map.copyOf(pausedUntil), inactive);
      published.run();
    }
  }
}

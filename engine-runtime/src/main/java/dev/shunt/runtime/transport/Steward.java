package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.PathHealth;
import dev.shunt.api.spi.PathHealth.PathRecord;
import dev.shunt.api.spi.PathId;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.agent.TaskAgent;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.observe.PathName;
import dev.shunt.runtime.transfer.LaneServices.Routes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The engine's steward: runs the policies' machines and publishes what lanes read. Does no I/O. Its
 * methods may be called on any thread; what they begin happens on the steward's.
 */
public final class Steward extends TaskAgent {
  private static final int TASKS = 1 << 20;

  private final Platform platform;
  private final Journal journal;

  /**
   * Without a thread yet.
   *
   * @param journal where it is told what happens
   */
  public Steward(Platform platform, Journal journal) {
    super("steward", TASKS);
    this.platform = platform;
    this.journal = journal;
  }

  long now() {
    return platform.now();
  }

  /** Where it is told what happens. */
  public Journal journal() {
    return journal;
  }

  /** What it knows of one transport's paths; its methods but {@link #routes} run on the steward. */
  public final class PathBook {
    private final String transport;
    private final Optional<PathHealth> health;
    private final Map<PathId, Long> pausedUntil = new HashMap<>();
    private List<Integer> inactive = List.of();
    private final PathTales tales;
    private volatile Routes routes = Routes.OPEN;
    private volatile Runnable published = () -> {};
    private volatile Function<PathId, PathName> names = PathBook.this::numbered;

    /** A book without entries; without a policy nothing is ever paused. */
    public PathBook(String transport, Optional<PathHealth> health) {
      this.transport = transport;
      this.health = health;
      tales = new PathTales(transport, journal, Steward.this::at);
    }

    /** What lanes go by. Any thread. */
    public Routes routes() {
      return routes;
    }

    /** Who wants to know that {@link #routes} changed. */
    public void onPublish(Runnable listener) {
      published = listener;
    }

    /** Who knows the names of rails, for those who read of paths. */
    public void nameBy(Function<PathId, PathName> namer) {
      names = namer;
    }

    private PathName numbered(PathId path) {
      return new PathName(
          transport,
          path.remote(),
          Integer.toString(path.localRail()),
          Integer.toString(path.remoteRail()));
    }

    /** A path has a channel. Any thread. */
    public void connected(PathId path, long link) {
      execute(() -> health.ifPresent(machine -> machine.connected(path, link, platform.now())));
    }

    /** A path failed. Any thread. */
    public void failed(PathId path, long link, Fault fault) {
      execute(
          () ->
              health.ifPresent(
                  machine -> {
                    var now = platform.now();
                    var until = machine.failed(path, link, fault, now);
                    if (until - now > 0) {
                      pause(path, until, fault.text(), now);
                    }
                  }));
    }

    private void pause(PathId path, long until, String cause, long now) {
      tales.paused(path, names.apply(path), until - now, cause, now);
      var before = pausedUntil.put(path, until);
      if (before != null && before == until) {
        return;
      }
      publish(now);
      // Lanes look at the time themselves; this is for those who read of it.
      at(until, () -> publish(platform.now()));
    }

    /** A path works. Any thread. */
    public void succeeded(PathId path) {
      execute(() -> health.ifPresent(machine -> machine.succeeded(path, platform.now())));
    }

    /** A remote says that it uses a rail again, which it had not done. Any thread. */
    public void returned(String remote, int remoteRail) {
      execute(
          () -> {
            var now = platform.now();
            health.ifPresent(machine -> machine.returned(remote, remoteRail, now));
            for (var entry : pausedUntil.entrySet()) {
              var path = entry.getKey();
              if (path.remote().equals(remote) && path.remoteRail() == remoteRail) {
                entry.setValue(now);
              }
            }
            publish(now);
          });
    }

    /** No path to a remote is of use any more, or one is again. Any thread. */
    public void standing(String remote, boolean good, String goesOn) {
      execute(() -> tales.standing(remote, good, goesOn, platform.now()));
    }

    /** Tells people what has been gathered for them. Any thread. */
    public void tellRest() {
      execute(tales::flush);
    }

    /** A remote is gone. Any thread. */
    public void forget(String remote) {
      execute(
          () -> {
            health.ifPresent(machine -> machine.forget(remote));
            pausedUntil.keySet().removeIf(path -> path.remote().equals(remote));
            tales.forget(remote);
            publish(platform.now());
          });
    }

    /** A rail of ours is to be used, or not. On the steward's thread. */
    public void use(int rail, boolean active) {
      var next = new ArrayList<>(inactive);
      next.remove((Integer) rail);
      if (!active) {
        next.add(rail);
      }
      inactive = List.copyOf(next);
      publish(platform.now());
    }

    /**
     * What is remembered of paths.
     *
     * @param answer called on the steward's thread, with those of which something is
     * @return false if the engine is closed
     */
    public boolean records(List<PathId> asked, Consumer<Map<PathId, PathRecord>> answer) {
      return execute(
          () -> {
            var known = new HashMap<PathId, PathRecord>();
            var now = platform.now();
            for (var path : asked) {
              health
                  .flatMap(machine -> machine.record(path, now))
                  .ifPresent(record -> known.put(path, record));
            }
            answer.accept(known);
          });
    }

    private void publish(long now) {
      for (var entries = pausedUntil.entrySet().iterator(); entries.hasNext(); ) {
        var entry = entries.next();
        if (entry.getValue() - now <= 0) {
          entries.remove();
          tales.resumed(entry.getKey(), names.apply(entry.getKey()), now);
        }
      }
      routes = new Routes(Map.copyOf(pausedUntil), inactive);
      published.run();
    }
  }
}

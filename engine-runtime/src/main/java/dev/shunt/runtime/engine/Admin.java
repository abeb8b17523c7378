package dev.shunt.runtime.engine;

import dev.shunt.api.Signal;
import dev.shunt.api.Status;
import dev.shunt.runtime.admin.AdminServer;
import dev.shunt.runtime.admin.AdminSource;
import dev.shunt.runtime.admin.Recorder;
import dev.shunt.runtime.admin.RuntimeEntry;
import dev.shunt.runtime.admin.RuntimeFiles;
import dev.shunt.runtime.admin.Watchdog;
import dev.shunt.runtime.agent.Platform;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a node has for operators, where configuration wants it; else nothing. */
final class Admin implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Admin.class);

  private final Optional<Watchdog> watchdog;
  private final Optional<AdminServer> server;
  private Optional<Path> file = Optional.empty();

  private Admin(Optional<Watchdog> watchdog, Optional<AdminServer> server) {
    this.watchdog = watchdog;
    this.server = server;
  }

  /** Nothing. */
  static Admin none() {
    return new Admin(Optional.empty(), Optional.empty());
  }

  /**
   * Starts it.
   *
   * @param running the turns of the node's agents, in the agents' order
   */
  static Admin start(
      Node node,
      NodeLife life,
      RailOrders rails,
      List<Platform.Running> running,
      Optional<Recorder> recorder) {
    var config = node.config.admin();
    if (!config.enable()) {
      return none();
    }
    var server = new AdminServer(config, new Source(node, life, rails, recorder));
    var dog =
        new Watchdog(
            node.agents(), running, config.stuckAfter().toNanos(), node.journal, server::sweep);
    life.watch(dog::stuck);
    LOG.info("{} answers operators at http://{}", node.name, server.address());
    return new Admin(Optional.of(dog), Optional.of(server));
  }

  /** The node is ready: whoever looks for it finds it. */
  void publish(Node node) {
    server.ifPresent(
        http -> {
          var self = ProcessHandle.current();
          var entry =
              RuntimeEntry.of(node.name, node.generation, self, http.address(), http.token());
          file = RuntimeFiles.write(node.config.admin().runtimeDirectory(), entry);
        });
  }

  /** The agents end: that they stand still then is no news. */
  void quiet() {
    watchdog.ifPresent(Watchdog::close);
  }

  @Override
  public void close() {
    quiet();
    file.ifPresent(RuntimeFiles::remove);
    server.ifPresent(AdminServer::close);
  }

  private record Source(Node node, NodeLife life, RailOrders rails, Optional<Recorder> recorder)
      implements AdminSource {
    @Override
    public Status status() {
      return new StatusReport(node, life).report();
    }

    @Override
    public Status.State state() {
      return life.state();
    }

    @Override
    public String metrics() {
      return new NodeMetrics(node, life).text();
    }

    @Override
    public Signal<Status.RailStatus> drainRail(String transport, String rail) {
      return rails.drain(transport, rail);
    }

    @Override
    public Signal<Status.RailStatus> restoreRail(String transport, String rail) {
      return rails.restore(transport, rail);
    }

    @Override
    public List<String> stuck() {
      return life.stuck();
    }
  }
}

package dev.shunt.runtime.sim;

import dev.shunt.transport.tcp.TcpTransportProvider;
import java.util.Set;
import java.util.function.Consumer;

/** Runs seeds on one thread. */
final class Seeds {
  private static final int MOST_NODES = 4;
  private static final Setup TCP = new Setup(new TcpTransportProvider(), TcpFabric.settings());

  private final Cluster.Workshop tcp = new Cluster.Workshop(TCP, MOST_NODES);

  /** What a seed came to. */
  record Result(
      long seed,
      long trace,
      int nodes,
      long slices,
      int faults,
      int batches,
      long events,
      Set<Mark> marks) {}

  /**
   * Runs one over TCP.
   *
   * @param prepare is given the world before anything happens
   */
  Result tcp(long seed, Consumer<Cluster> prepare) {
    int size = 3 + Math.floorMod(seed, 5) / 4;
    var cluster = new Cluster(tcp, seed, size, TcpFabric::new);
    try {
      prepare.accept(cluster);
      var script = new Script(cluster);
      script.play();
      return new Result(
          seed,
          cluster.world().trace().hash(),
          cluster.size(),
          cluster.slices(),
          script.faults(),
          cluster.story().batches(),
          cluster.world().events(),
          cluster.marks());
    } finally {
      SimLogs.leave();
    }
  }
}

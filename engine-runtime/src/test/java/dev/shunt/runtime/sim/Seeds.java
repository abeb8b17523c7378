package dev.shunt.runtime.sim;

import dev.shunt.api.spi.TransportProvider;
import dev.shunt.runtime.plain.PlainTransportProvider;
import dev.shunt.transport.nof.NofTransportProvider;
import dev.shunt.transport.rdma.testing.SoftRdmaProvider;
import dev.shunt.transport.tcp.TcpTransportProvider;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs seeds, on one thread. */
final class Seeds {
  private static final int MOST_NODES = 4;

  /** Over what. */
  enum Kind {
    TCP(new TcpTransportProvider(), TcpFabric.settings(), TcpFabric::new, TcpFabric.MARKS),
    RDMA(
        new SoftRdmaProvider(
            () -> {
              throw new IllegalStateException("there is no process yet");
            }),
        RdmaFabric.settings(),
        RdmaFabric::new,
        RdmaFabric.MARKS),
    NOF(new NofTransportProvider(), NofFabric.settings(), NofFabric::new, NofFabric.MARKS),
    PLAIN(
        new PlainTransportProvider(), PlainFabric.settings(), PlainFabric::new, PlainFabric.MARKS);

    final TransportProvider provider;
    final Map<String, Object> settings;
    final Setup setup;
    final Function<Cluster, Fabric> fabric;
    final Set<Mark> marks;

    Kind(
        TransportProvider provider,
        Map<String, Object> settings,
        Function<Cluster, Fabric> fabric,
        Set<Mark> marks) {
      this.provider = provider;
      this.settings = settings;
      setup = new Setup(provider, settings);
      this.fabric = fabric;
      this.marks = marks;
    }
  }

  private final Map<Kind, Cluster.Workshop> workshops = new EnumMap<>(Kind.class);

  /** What a seed came to. */
  record Result(
      Kind kind,
      long seed,
      long trace,
      int nodes,
      long slices,
      int faults,
      int batches,
      long events,
      Set<Mark> marks) {}

  /** A cluster of a seed, not started. */
  Cluster cluster(Kind kind, long seed, int size) {
    var workshop = workshops.computeIfAbsent(kind, k -> new Cluster.Workshop(k.setup, MOST_NODES));
    return new Cluster(workshop, seed, size, kind.fabric);
  }

  /** Half of them on nodes that have all, the others on a row of the covering array. */
  private static Sides sides(Cluster cluster) {
    var dice = cluster.world().dice("sides");
    if (dice.permille(500)) {
      return dice.permille(500) ? Sides.same() : Sides.same().with(Feature.CHECKSUM, 1);
    }
    return Sides.all().get((int) dice.below(Sides.all().size()));
  }

  /**
   * Runs one.
   *
   * @param prepare is given the world before anything happens
   */
  Result run(Kind kind, long seed, Consumer<Cluster> prepare) {
    int nodes = kind == Kind.NOF || kind == Kind.PLAIN ? 2 : 3 + Math.floorMod(seed, 5) / 4;
    var cluster = cluster(kind, seed, nodes);
    try {
      cluster.sides(sides(cluster));
      prepare.accept(cluster);
      var script = new Script(cluster);
      script.play();
      return new Result(
          kind,
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

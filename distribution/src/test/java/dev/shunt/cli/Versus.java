package dev.shunt.cli;

import dev.shunt.api.Engine;
import dev.shunt.api.Operation;
import dev.shunt.api.Segment;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Measures the engine against bare sockets that do the same: same operation, same blocks, same
 * memory, in turns, the best of several. Each side has a second process. Run by {@code
 * distribution/bench-tcp}, whose arguments are those of {@code --set}.
 */
final class Versus {
  private static final int ROUNDS = Integer.getInteger("rounds", 5);
  private static final Duration WARM_UP = Duration.ofMillis(300);
  private static final Duration TIME = Duration.ofMillis(Integer.getInteger("millis", 1500));
  private static final int KIB = 1 << 10;
  static final int MIB = 1 << 20;
  private static final int MEMORY = 16 * MIB;
  static final Deadline DEADLINE = Deadline.in(Duration.ofMinutes(30));

  private final Engine engine;
  private final Segment peer;
  private final int selector;
  private final int blocking;

  Versus(Engine engine, Segment peer, int selector, int blocking) {
    this.engine = engine;
    this.peer = peer;
    this.selector = selector;
    this.blocking = blocking;
  }

  /**
   * One measurement.
   *
   * @param rate bytes a second
   * @param p50 nanoseconds of a batch
   */
  record Figure(double rate, long p50) {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Logger.getLogger("").setLevel(Level.WARNING);
    System.out.printf(
        "congestion control %s, %d processors, best of %d, %s%n",
        Machine.congestionControl(),
        Runtime.getRuntime().availableProcessors(),
        ROUNDS,
        List.of(args));
    var arguments = new ArrayList<>(List.of("--memory", MEMORY + "B"));
    for (var value : args) {
      arguments.addAll(List.of("--set", value));
    }
    try (var engine = Settings.of(Optional.empty(), List.of(), List.of(args)).open();
        var shunt = PeerProcess.start(arguments);
        var selector = bare(BareServer.class, "selector");
        var blocking = bare(BareServer.class, "blocking")) {
      var peer = engine.openSegment(shunt.awaitReady(DEADLINE), Duration.ofSeconds(30));
      new Versus(
              engine,
              peer,
              Integer.parseInt(selector.awaitReady(DEADLINE)),
              Integer.parseInt(blocking.awaitReady(DEADLINE)))
          .compare();
    }
  }

  /** A program of the tests beside this one, with as much memory. */
  static PeerProcess bare(Class<?> program, String... more) throws IOException {
    var arguments = new ArrayList<>(List.of(Integer.toString(MEMORY)));
    arguments.addAll(List.of(more));
    return BesideProcess.start(program, arguments);
  }

  private void compare() throws IOException, InterruptedException {
    rates(new int[][] {{MIB, 1}, {MIB, 8}, {4 * MIB, 1}, {4 * MIB, 4}});
    latencies();
  }

  /** Rates of so many blocks at a time. */
  void rates(int[][] shapes) throws IOException, InterruptedException {
    System.out.printf(
        "%-28s %14s %14s %8s%n", "rate, against a selector", "bare", "shunt", "ratio");
    for (var operation : Operation.values()) {
      for (int[] shape : shapes) {
        var best = best(operation, shape[0], shape[1], false);
        System.out.printf(
            Locale.ROOT,
            "%-28s %14s %14s %8.2f%n",
            name(operation, shape),
            Units.bytes(best[0].rate()) + "/s",
            Units.bytes(best[1].rate()) + "/s",
            best[1].rate() / best[0].rate());
      }
    }
  }

  /** How long one small block takes. */
  void latencies() throws IOException, InterruptedException {
    System.out.printf(
        "%-28s %14s %14s %8s%n", "p50, against a ping-pong", "bare", "shunt", "ratio");
    for (var operation : Operation.values()) {
      var best = best(operation, 4 * KIB, 1, true);
      System.out.printf(
          Locale.ROOT,
          "%-28s %14s %14s %8.2f%n",
          name(operation, new int[] {4 * KIB, 1}),
          Units.nanos(best[0].p50()),
          Units.nanos(best[1].p50()),
          (double) best[1].p50() / best[0].p50());
    }
  }

  private static String name(Operation operation, int[] shape) {
    return operation.name().toLowerCase(Locale.ROOT)
        + " "
        + Units.bytes(shape[0])
        + " x "
        + shape[1];
  }

  private Figure[] best(Operation operation, int block, int batch, boolean latency)
      throws IOException, InterruptedException {
    var work = BareClient.work(operation, block, batch, WARM_UP, TIME);
    var bare = new Figure(0, Long.MAX_VALUE);
    var shunt = new Figure(0, Long.MAX_VALUE);
    for (int i = 0; i < ROUNDS; i++) {
      try (var client = new BareClient(latency ? blocking : selector, work, latency)) {
        bare = better(bare, client.run());
      }
      var report = new Bench(engine, peer, work).run(new PrintWriter(System.err), false);
      shunt = better(shunt, new Figure(report.rate(), report.latencies().getValueAtPercentile(50)));
    }
    return new Figure[] {bare, shunt};
  }

  private static Figure better(Figure one, Figure other) {
    return new Figure(Math.max(one.rate(), other.rate()), Math.min(one.p50(), other.p50()));
  }
}

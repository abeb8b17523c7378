package dev.shunt.cli;

import dev.shunt.api.Engine;
import dev.shunt.api.Operation;
import dev.shunt.api.Segment;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Measures the engine against bare sockets that do the same: same operation, same blocks, same
 * memory, in turns, the best of several. Each side has a second process. Run by {@code
 * distribution/bench-tcp}, whose arguments are those of {@code --set}.
 */
final class Versus {
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

  public static void main(String[] args) throws IOException, InterruptedException {
    Logger.getLogger("").setLevel(Level.WARNING);
    System.out.printf(
        "congestion control %s, %d processors, best of %d, %s%n",
        Machine.congestionControl(),
        Runtime.getRuntime().availableProcessors(),
        Turns.ROUNDS,
        List.of(args));
    var settings = List.of(args);
    try (var engine = Settings.of(Optional.empty(), List.of(), settings).open();
        var shunt = serve(settings);
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

  /** A node that serves as much memory as the bare ones, set likewise. */
  static PeerProcess serve(List<String> settings) {
    var arguments = new ArrayList<>(List.of("--memory", MEMORY + "B"));
    settings.forEach(value -> arguments.addAll(List.of("--set", value)));
    return PeerProcess.start(arguments);
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
    Turns.head("rate, against a selector", "bare", "shunt");
    for (var operation : Operation.values()) {
      for (int[] shape : shapes) {
        var name = Turns.name(operation, shape[0], shape[1]);
        if (Turns.chosen(name)) {
          turns(operation, shape[0], shape[1], false).printRates(name);
        }
      }
    }
  }

  /** How long one small block takes. */
  void latencies() throws IOException, InterruptedException {
    Turns.head("p50, against a ping-pong", "bare", "shunt");
    for (var operation : Operation.values()) {
      var name = Turns.name(operation, 4 * KIB, 1);
      if (Turns.chosen(name)) {
        turns(operation, 4 * KIB, 1, true).printTimes(name);
      }
    }
  }

  private Turns turns(Operation operation, int block, int batch, boolean latency)
      throws IOException, InterruptedException {
    var work = Turns.work(operation, block, batch);
    return Turns.take(
        () -> {
          try (var client = new BareClient(latency ? blocking : selector, work, latency)) {
            return client.run();
          }
        },
        () -> Turns.Figure.of(engine, peer, work));
  }
}

package dev.shunt.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Measures transfers with a plain TENT peer, {@link BareTent}, against bare sockets that move the
 * same bytes. Run by {@code distribution/bench-tcp --plain}.
 */
final class VersusPlain {
  private VersusPlain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Logger.getLogger("").setLevel(Level.WARNING);
    System.out.printf(
        "plain peer, congestion control %s, %d processors, %s%n",
        Machine.congestionControl(), Runtime.getRuntime().availableProcessors(), List.of(args));
    try (var engine = Settings.of(Optional.empty(), List.of(), List.of(args)).open();
        var plain = Versus.bare(BareTent.class);
        var selector = Versus.bare(BareServer.class, "selector");
        var blocking = Versus.bare(BareServer.class, "blocking")) {
      var peer = engine.openSegment(plain.awaitReady(Versus.DEADLINE), Duration.ofSeconds(30));
      var versus =
          new Versus(
              engine,
              peer,
              Integer.parseInt(selector.awaitReady(Versus.DEADLINE)),
              Integer.parseInt(blocking.awaitReady(Versus.DEADLINE)));
      versus.rates(new int[][] {{Versus.MIB, 1}, {Versus.MIB, 8}});
      versus.latencies();
    }
  }
}

package dev.shunt.cli;

import dev.shunt.api.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Measures what a checksum for each payload costs: a pair of nodes that have agreed on {@code
 * tcp.crc32c} against a pair that has not, in turns. Run by {@code distribution/bench-tcp --crc}.
 */
final class VersusCrc {
  private static final int[][] SHAPES = {
    {Versus.MIB, 1}, {Versus.MIB, 8}, {4 * Versus.MIB, 1}, {4 * Versus.MIB, 4}
  };

  private VersusCrc() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Logger.getLogger("").setLevel(Level.WARNING);
    System.out.printf(
        "checksums, congestion control %s, %d processors, best of %d, %s%n",
        Machine.congestionControl(),
        Runtime.getRuntime().availableProcessors(),
        Turns.ROUNDS,
        List.of(args));
    var off = List.of(args);
    var on = new ArrayList<>(off);
    on.add("capabilities.tcp.crc32c=required");
    try (var bare = Settings.of(Optional.empty(), List.of(), off).open();
        var checked = Settings.of(Optional.empty(), List.of(), on).open();
        var bareNode = Versus.serve(off);
        var checkedNode = Versus.serve(on)) {
      var patience = Duration.ofSeconds(30);
      var barePeer = bare.openSegment(bareNode.awaitReady(Versus.DEADLINE), patience);
      var checkedPeer = checked.openSegment(checkedNode.awaitReady(Versus.DEADLINE), patience);
      Turns.head("rate", "without", "with");
      for (var operation : Operation.values()) {
        for (int[] shape : SHAPES) {
          var name = Turns.name(operation, shape[0], shape[1]);
          if (Turns.chosen(name)) {
            var work = Turns.work(operation, shape[0], shape[1]);
            Turns.take(
                    () -> Turns.Figure.of(bare, barePeer, work),
                    () -> Turns.Figure.of(checked, checkedPeer, work))
                .printRates(name);
          }
        }
      }
    }
  }
}

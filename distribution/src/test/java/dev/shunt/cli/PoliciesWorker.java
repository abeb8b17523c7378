package dev.shunt.cli;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Operation;
import dev.shunt.api.Request;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A node that moves so many bytes when it is told to, as {@link PoliciesCost} does: its arguments
 * are the peer's name and settings, its lines OPERATION BLOCK BATCH BYTES.
 */
final class PoliciesWorker {
  static final int MEMORY = 16 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private PoliciesWorker() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Logger.getLogger("").setLevel(Level.WARNING);
    var settings = Arrays.asList(args).subList(1, args.length);
    try (var engine = Settings.of(Optional.empty(), List.of(), settings).open()) {
      var peer = engine.openSegment(args[0], PATIENCE);
      var remote = peer.buffers().getFirst().address();
      var memory = engine.arena().allocate(MEMORY, 4096);
      engine.register(memory, Access.LOCAL);
      var lines = new BufferedReader(new InputStreamReader(System.in));
      System.out.println("ready");
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var words = line.split(" ");
        var operation = Operation.valueOf(words[0]);
        long block = Long.parseLong(words[1]);
        int batch = Integer.parseInt(words[2]);
        long round = block * batch;
        for (long moved = 0; moved < Long.parseLong(words[3]); moved += round) {
          var requests = new ArrayList<Request>(batch);
          for (long at = moved % MEMORY; requests.size() < batch; at = (at + block) % MEMORY) {
            var piece = memory.asSlice(at, block);
            requests.add(
                operation == Operation.WRITE
                    ? Request.write(piece, peer, remote + at)
                    : Request.read(piece, peer, remote + at));
          }
          engine.submit(Batch.of(requests).within(PATIENCE)).await(PATIENCE).orThrow();
        }
        System.out.println("moved");
      }
    }
  }
}

package dev.shunt.cli;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Operation;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.Transfer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Measures one node against many peers and against one that has as much memory as all of them: the
 * same blocks, the same depth, in turns, the best of several; and what a peer costs that is known
 * and idle. Run by {@code distribution/bench-peers}, whose arguments are those of {@code --set}.
 */
final class Crowd {
  private static final int PEERS = Integer.getInteger("peers", 256);
  private static final int PROCESSES = Math.min(PEERS, Integer.getInteger("processes", 4));
  private static final int ROUNDS = Integer.getInteger("rounds", 5);
  private static final int DEPTH = Integer.getInteger("depth", 8);
  private static final long TIME = Integer.getInteger("millis", 1500) * 1_000_000L;
  private static final int BLOCK = 1 << 20;
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Deadline START = Deadline.in(Duration.ofMinutes(5));

  private final Engine engine;
  private final MemorySegment local;
  private final List<Segment> many = new ArrayList<>();

  private Crowd(Engine engine) {
    this.engine = engine;
    local = engine.arena().allocate((long) PEERS * BLOCK, 4096);
    local.fill((byte) 2);
    engine.register(local, Access.LOCAL);
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Logger.getLogger("").setLevel(Level.WARNING);
    var settings = List.of(args);
    System.out.printf(
        "%d peers in %d processes, %d processors, blocks of 1 MiB, %d at a time, best of %d, %s%n",
        PEERS, PROCESSES, Runtime.getRuntime().availableProcessors(), DEPTH, ROUNDS, settings);
    var servers = new ArrayList<PeerProcess>();
    try (var engine = CrowdServer.engine(settings)) {
      servers.add(server(1, (long) PEERS * BLOCK, settings));
      for (int i = 0; i < PROCESSES; i++) {
        int share = PEERS * (i + 1) / PROCESSES - PEERS * i / PROCESSES;
        servers.add(server(share, BLOCK, settings));
      }
      var crowd = new Crowd(engine);
      var one = engine.openSegment(servers.getFirst().awaitReady(START), SOON);
      crowd.meet(servers.subList(1, servers.size()));
      for (var operation : Operation.values()) {
        crowd.compare(operation, one);
      }
    } finally {
      servers.forEach(PeerProcess::close);
    }
  }

  private static PeerProcess server(int count, long bytes, List<String> settings) {
    var arguments = new ArrayList<>(List.of(Integer.toString(count), Long.toString(bytes)));
    arguments.addAll(settings);
    return BesideProcess.start(CrowdServer.class, arguments);
  }

  /** Meets all peers, moves something to each, and tells what that cost when all is quiet. */
  private void meet(List<PeerProcess> servers) throws InterruptedException, IOException {
    int threads = threads();
    long heap = heap();
    long resident = resident();
    long before = System.nanoTime();
    for (var server : servers) {
      for (var name : server.awaitReady(START).split(" ")) {
        many.add(engine.openSegment(name, SOON));
      }
    }
    long met = System.nanoTime();
    for (int i = 0; i < many.size(); i++) {
      submit(Operation.WRITE, many.get(i), i, 0).await(SOON).orThrow();
    }
    System.out.printf(
        Locale.ROOT,
        "met %d peers in %.1f s; connections to all in %.1f s more%n",
        many.size(),
        (met - before) / 1e9,
        (System.nanoTime() - met) / 1e9);
    System.out.printf(
        Locale.ROOT,
        "threads %d, and %d with all peers; for each peer %.1f KiB of heap, %.1f KiB resident%n",
        threads,
        threads(),
        (heap() - heap) / 1024.0 / many.size(),
        (resident() - resident) / 1024.0 / many.size());
  }

  private void compare(Operation operation, Segment one) throws InterruptedException {
    double bestOne = 0;
    double bestMany = 0;
    for (int i = 0; i < ROUNDS; i++) {
      bestOne = Math.max(bestOne, rate(operation, List.of(one)));
      bestMany = Math.max(bestMany, rate(operation, many));
    }
    System.out.printf(
        Locale.ROOT,
        "%-5s one peer %12s, %d peers %12s, ratio %.2f%n",
        operation.name().toLowerCase(Locale.ROOT),
        Units.bytes(bestOne) + "/s",
        many.size(),
        Units.bytes(bestMany) + "/s",
        bestMany / bestOne);
  }

  private double rate(Operation operation, List<Segment> segments) throws InterruptedException {
    run(operation, segments, TIME / 4);
    return run(operation, segments, TIME);
  }

  private double run(Operation operation, List<Segment> segments, long nanos)
      throws InterruptedException {
    var open = new ArrayDeque<Transfer>();
    long before = System.nanoTime();
    long bytes = 0;
    for (int i = 0; System.nanoTime() - before < nanos; i = (i + 1) % PEERS) {
      if (open.size() == DEPTH) {
        bytes += open.poll().await(SOON).orThrow().bytes();
      }
      var place = segments.size() == 1 ? (long) i * BLOCK : 0;
      open.add(submit(operation, segments.get(i % segments.size()), i, place));
    }
    while (!open.isEmpty()) {
      bytes += open.poll().await(SOON).orThrow().bytes();
    }
    return bytes * 1e9 / (System.nanoTime() - before);
  }

  private Transfer submit(Operation operation, Segment segment, int index, long place) {
    var mine = local.asSlice((long) index * BLOCK, BLOCK);
    long address = segment.buffers().getFirst().address() + place;
    return engine.submit(Batch.of(new Request(operation, mine, segment, address)));
  }

  private static int threads() {
    return Thread.getAllStackTraces().size();
  }

  private static long heap() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      Thread.sleep(50);
      least =
          Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return least;
  }

  private static long resident() throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    return 0;
  }
}

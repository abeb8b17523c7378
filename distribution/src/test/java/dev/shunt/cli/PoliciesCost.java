package dev.shunt.cli;

import dev.shunt.api.Operation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Measures what the policies cost while nothing fails: processor time of both processes for each
 * GiB, with them and without, in turns. Processes are started anew several times, since no two JVMs
 * compile the same. Run by {@code distribution/bench-policies}, whose arguments are those of {@code
 * --set}, for all.
 */
final class PoliciesCost {
  private static final int STARTS = Integer.getInteger("starts", 3);
  private static final int PAIRS = Integer.getInteger("pairs", 7);
  private static final long BYTES = Long.getLong("mib", 2048) << 20;
  private static final List<String> WITHOUT =
      List.of("plugins.exclude=[failover]", "peer-health.enable=false");
  private static final double MOST = 3;

  private final List<String> settings;

  private PoliciesCost(List<String> settings) {
    this.settings = settings;
  }

  /**
   * What is moved.
   *
   * @param share of the bytes, since small blocks take longer
   */
  private record Shape(Operation operation, int block, int batch, int share) {
    @Override
    public String toString() {
      var name = operation.name().toLowerCase(Locale.ROOT);
      return name + " " + Units.bytes(block) + " x " + batch;
    }
  }

  private static final List<Shape> SHAPES =
      List.of(
          new Shape(Operation.WRITE, 1 << 20, 8, 1),
          new Shape(Operation.READ, 1 << 20, 8, 1),
          new Shape(Operation.WRITE, 64 << 10, 16, 2),
          new Shape(Operation.WRITE, 4 << 10, 64, 16));

  /** Two processes, one of which moves bytes to and from the other. */
  private final class Two implements AutoCloseable {
    private final PeerProcess peer;
    private final Process worker;
    private final Writer lines;
    private final BufferedReader answers;

    Two(List<String> more) throws IOException, InterruptedException {
      var all = new ArrayList<>(settings);
      all.addAll(more);
      var arguments = new ArrayList<>(List.of("--memory", PoliciesWorker.MEMORY + "B"));
      all.forEach(setting -> arguments.addAll(List.of("--set", setting)));
      peer = PeerProcess.start(arguments);
      all.addFirst(peer.awaitReady(Deadline.in(Duration.ofMinutes(1))));
      worker =
          new ProcessBuilder(BesideProcess.command(PoliciesWorker.class, all))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      lines = worker.outputWriter();
      answers = worker.inputReader();
      answer("ready");
    }

    private void answer(String expected) throws IOException {
      var answer = answers.readLine();
      if (!expected.equals(answer)) {
        throw new IOException("the worker says " + answer + ", and not " + expected);
      }
    }

    /** Seconds of processor time for each GiB. */
    double cost(Shape shape) throws IOException {
      long bytes = BYTES / shape.share;
      long before = nanos(worker.pid()) + nanos(peer.pid());
      lines.write(shape.operation + " " + shape.block + " " + shape.batch + " " + bytes + "\n");
      lines.flush();
      answer("moved");
      long took = nanos(worker.pid()) + nanos(peer.pid()) - before;
      return took / 1e9 / bytes * (1L << 30);
    }

    @Override
    public void close() throws IOException {
      lines.close();
      try {
        // First who calls, then who is called.
        if (!worker.waitFor(20, TimeUnit.SECONDS)) {
          worker.destroyForcibly();
        }
      } catch (InterruptedException e) {
        worker.destroyForcibly();
        Thread.currentThread().interrupt();
      } finally {
        peer.close();
      }
    }
  }

  /** What all threads of a process took so far, in finer steps than the clock's ticks. */
  private static long nanos(long pid) throws IOException {
    long sum = 0;
    try (var threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (var thread : threads) {
        try {
          var first = Files.readString(thread.resolve("schedstat")).split(" ")[0];
          sum += Long.parseLong(first);
        } catch (NoSuchFileException ended) {
          // It took next to nothing.
        }
      }
    }
    return sum;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    System.out.printf(
        "congestion control %s, %d processors, %d starts of %d pairs, %s%n",
        Machine.congestionControl(),
        Runtime.getRuntime().availableProcessors(),
        STARTS,
        PAIRS,
        List.of(args));
    System.exit(new PoliciesCost(List.of(args)).compare() ? 0 : 1);
  }

  private boolean compare() throws IOException, InterruptedException {
    int shapes = SHAPES.size();
    var with = new double[shapes][STARTS * PAIRS];
    var without = new double[shapes][STARTS * PAIRS];
    for (int start = 0; start < STARTS; start++) {
      try (var policies = new Two(List.of());
          var none = new Two(WITHOUT)) {
        for (int i = 0; i < shapes; i++) {
          for (int warm = 0; warm < 2; warm++) {
            policies.cost(SHAPES.get(i));
            none.cost(SHAPES.get(i));
          }
        }
        for (int pair = start * PAIRS; pair < (start + 1) * PAIRS; pair++) {
          for (int i = 0; i < shapes; i++) {
            if (pair % 2 == 0) {
              with[i][pair] = policies.cost(SHAPES.get(i));
              without[i][pair] = none.cost(SHAPES.get(i));
            } else {
              without[i][pair] = none.cost(SHAPES.get(i));
              with[i][pair] = policies.cost(SHAPES.get(i));
            }
          }
        }
      }
    }
    return tell(with, without);
  }

  private static boolean tell(double[][] with, double[][] without) {
    System.out.printf(
        "%-20s %10s %10s %8s   %s%n", "s of CPU for a GiB", "with", "without", "cost", "interval");
    boolean good = true;
    for (int i = 0; i < with.length; i++) {
      var more = new double[with[i].length];
      for (int pair = 0; pair < more.length; pair++) {
        more[pair] = 100 * (with[i][pair] / without[i][pair] - 1);
      }
      Arrays.sort(more);
      int from = rank(more.length);
      double median = median(more);
      System.out.printf(
          Locale.ROOT,
          "%-20s %10.3f %10.3f %7.1f%%   %.1f%% to %.1f%%%n",
          SHAPES.get(i),
          median(with[i].clone()),
          median(without[i].clone()),
          median,
          more[from],
          more[more.length - 1 - from]);
      good &= median <= MOST;
    }
    System.out.println(
        "cost: the median of all pairs, and the interval that holds it with 95 % at least; "
            + (good ? "no more" : "MORE")
            + " than 3 %");
    return good;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    int half = values.length / 2;
    return values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  }

  /** How many values beyond each end of an interval leave 95 % for the median to lie within. */
  private static int rank(int count) {
    double outside = 0;
    double chance = Math.pow(0.5, count);
    int rank = 0;
    while (2 * (outside + chance) <= 0.05) {
      outside += chance;
      chance = chance * (count - rank) / (rank + 1);
      rank++;
    }
    return Math.max(0, rank - 1);
  }
}

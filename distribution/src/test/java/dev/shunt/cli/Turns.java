package dev.shunt.cli;

import dev.shunt.api.Engine;
import dev.shunt.api.Operation;
import dev.shunt.api.Segment;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * Two ways of doing the same, measured in turns. Told are the best of each, and, since the machine
 * may have other things to do, the median of the ratios of one turn to the next.
 */
final class Turns {
  static final int ROUNDS = Integer.getInteger("rounds", 5);
  private static final Duration WARM_UP = Duration.ofMillis(300);
  private static final Duration TIME = Duration.ofMillis(Integer.getInteger("millis", 1500));
  private static final String ONLY = System.getProperty("only", "");

  private final Figure[] ones = new Figure[ROUNDS];
  private final Figure[] others = new Figure[ROUNDS];

  private Turns() {}

  /** Measures once. */
  interface Side {
    Figure run() throws IOException, InterruptedException;
  }

  /**
   * One measurement.
   *
   * @param rate bytes a second
   * @param p50 nanoseconds of a batch
   */
  record Figure(double rate, long p50) {
    /** An engine's. */
    static Figure of(Engine engine, Segment peer, Bench.Work work) throws InterruptedException {
      var report = new Bench(engine, peer, work).run(new PrintWriter(System.err), false);
      return new Figure(report.rate(), report.latencies().getValueAtPercentile(50));
    }
  }

  /** A piece of work for both. */
  static Bench.Work work(Operation operation, long block, int batch) {
    return BareClient.work(operation, block, batch, WARM_UP, TIME);
  }

  /** What a measurement is called. */
  static String name(Operation operation, int block, int batch) {
    return operation.name().toLowerCase(Locale.ROOT) + " " + Units.bytes(block) + " x " + batch;
  }

  /** Whether a measurement is among those asked for. */
  static boolean chosen(String name) {
    return name.contains(ONLY);
  }

  /** Takes them. */
  static Turns take(Side one, Side other) throws IOException, InterruptedException {
    var turns = new Turns();
    for (int i = 0; i < ROUNDS; i++) {
      turns.ones[i] = one.run();
      turns.others[i] = other.run();
    }
    return turns;
  }

  static void head(String title, String one, String other) {
    System.out.printf("%-28s %14s %14s %8s %8s%n", title, one, other, "ratio", "median");
  }

  void printRates(String name) {
    double one = Arrays.stream(ones).mapToDouble(Figure::rate).max().orElseThrow();
    double other = Arrays.stream(others).mapToDouble(Figure::rate).max().orElseThrow();
    var ratios = new double[ROUNDS];
    Arrays.setAll(ratios, i -> others[i].rate() / ones[i].rate());
    print(name, Units.bytes(one) + "/s", Units.bytes(other) + "/s", other / one, ratios);
  }

  void printTimes(String name) {
    double one = Arrays.stream(ones).mapToLong(Figure::p50).min().orElseThrow();
    double other = Arrays.stream(others).mapToLong(Figure::p50).min().orElseThrow();
    var ratios = new double[ROUNDS];
    Arrays.setAll(ratios, i -> (double) others[i].p50() / ones[i].p50());
    print(name, Units.nanos((long) one), Units.nanos((long) other), other / one, ratios);
  }

  private static void print(String name, String one, String other, double best, double[] ratios) {
    Arrays.sort(ratios);
    double median = (ratios[(ROUNDS - 1) / 2] + ratios[ROUNDS / 2]) / 2;
    System.out.printf(Locale.ROOT, "%-28s %14s %14s %8.2f %8.2f%n", name, one, other, best, median);
  }
}

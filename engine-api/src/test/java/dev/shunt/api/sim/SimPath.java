package dev.shunt.api.sim;

import java.util.ArrayList;
import java.util.List;

/** The way from one address to another, in that direction, and what goes wrong on it. */
public final class SimPath {
  private final SimNetwork network;
  private final SimRail from;
  private final SimRail to;
  private final List<Stream> streams = new ArrayList<>();
  private long latency;
  private long jitter;
  private long bytesPerSecond;
  private long busyUntil;
  private boolean held;
  private boolean blackhole;
  private int losePermille;
  private int corruptions;
  private int duplicates;

  SimPath(SimNetwork network, SimRail from, SimRail to) {
    this.network = network;
    this.from = from;
    this.to = to;
    this.latency = network.latency();
    this.jitter = network.latency();
    this.bytesPerSecond = network.bytesPerSecond();
  }

  /** Where it begins. */
  public SimRail from() {
    return from;
  }

  /** Where it leads. */
  public SimRail to() {
    return to;
  }

  /** How long a packet takes: at least, and at most so much more. */
  public void delay(long latencyNanos, long jitterNanos) {
    latency = latencyNanos;
    jitter = jitterNanos;
  }

  /** How much goes through. */
  public void bandwidth(long bytes) {
    bytesPerSecond = bytes;
  }

  /** Keeps what is under way, and what is sent from now on, in the network: nothing is lost. */
  public void hold() {
    held = true;
  }

  /** Lets it arrive, in order. */
  public void release() {
    held = false;
    kick(false);
  }

  /** Loses everything, silently. Senders go on trying, as TCP does. */
  public void blackhole() {
    blackhole = true;
  }

  /** Ends hold, blackhole and loss; what was lost is sent again when the senders next try. */
  public void heal() {
    blackhole = false;
    losePermille = 0;
    release();
  }

  /** As {@link #heal}, and all senders try again at once. */
  public void healNow() {
    blackhole = false;
    losePermille = 0;
    held = false;
    kick(true);
  }

  /** Loses so many packets of a thousand: they come late, and with them all that follow. */
  public void lose(int permille) {
    losePermille = permille;
  }

  /** Flips one bit in each of the next packets that carry data. */
  public void corrupt(int packets) {
    corruptions += packets;
  }

  /** Each of the next attempts to connect shows up twice; nobody is behind the second one. */
  public void duplicateConnects(int attempts) {
    duplicates += attempts;
  }

  /** Breaks all streams that use this path, in both directions, at once, on both sides. */
  public void cut() {
    for (var stream : List.copyOf(streams)) {
      stream.cut();
    }
  }

  /** How many streams use it. */
  public int streams() {
    return streams.size();
  }

  boolean held() {
    return held;
  }

  /** Whether a packet that arrives now does not. */
  boolean loses() {
    return blackhole
        || from.unplugged()
        || to.unplugged()
        || to.host().off()
        || network.dice().permille(losePermille);
  }

  boolean corrupts() {
    if (corruptions == 0) {
      return false;
    }
    corruptions--;
    return true;
  }

  boolean duplicates() {
    if (duplicates == 0) {
      return false;
    }
    duplicates--;
    return true;
  }

  /** When a packet that is sent now arrives. */
  long arrival(long now, int bytes) {
    long start = Math.max(now, busyUntil);
    busyUntil = start + bytes * 1_000_000_000L / bytesPerSecond;
    return busyUntil + latency + network.dice().below(jitter + 1);
  }

  void add(Stream stream) {
    streams.add(stream);
  }

  void remove(Stream stream) {
    streams.remove(stream);
  }

  private void kick(boolean atOnce) {
    for (var stream : List.copyOf(streams)) {
      stream.kick(atOnce);
    }
  }
}

package dev.shunt.transport.rdma.testing;

import java.util.ArrayList;
import java.util.List;

/** The way from one NIC to another, in that direction, and what goes wrong on it. */
public final class SoftPath {
  private static final long BYTES_PER_SECOND = 12_500_000_000L;

  private final SoftFabric fabric;
  private final SoftNic from;
  private final SoftNic to;
  private final List<SoftPacket> kept = new ArrayList<>();
  private long latency;
  private long jitter;
  private long busyUntil;
  private long lastArrival;
  private boolean held;
  private boolean blackhole;
  private int losePermille;
  private int doublePermille;
  private int corruptions;
  private long dropped;

  SoftPath(SoftFabric fabric, SoftNic from, SoftNic to, long latency) {
    this.fabric = fabric;
    this.from = from;
    this.to = to;
    this.latency = latency;
    jitter = latency;
  }

  /** Where it begins. */
  public SoftNic from() {
    return from;
  }

  /** Where it leads. */
  public SoftNic to() {
    return to;
  }

  /** How long a packet takes: at least, and at most so much more. */
  public void delay(long latencyNanos, long jitterNanos) {
    latency = latencyNanos;
    jitter = jitterNanos;
  }

  /** Keeps what arrives from now on in the network: nothing of it is lost. */
  public void hold() {
    held = true;
  }

  /** Lets it arrive, in order. */
  public void release() {
    held = false;
    long now = fabric.world().now();
    for (var packet : kept) {
      lastArrival = Math.max(lastArrival, now);
      fabric.world().schedule(packet, ++lastArrival);
    }
    kept.clear();
  }

  /** Loses everything, silently: no port says anything. */
  public void blackhole() {
    blackhole = true;
  }

  /** Ends hold, blackhole and loss. */
  public void heal() {
    blackhole = false;
    losePermille = 0;
    doublePermille = 0;
    release();
  }

  /** Loses so many packets of a thousand. */
  public void lose(int permille) {
    losePermille = permille;
  }

  /** Sends so many packets of a thousand twice. */
  public void duplicate(int permille) {
    doublePermille = permille;
  }

  /** Damages each of the next packets; the receiver's checksum finds it. */
  public void corrupt(int packets) {
    corruptions += packets;
  }

  /** How many packets did not arrive. */
  public long dropped() {
    return dropped;
  }

  void send(SoftPacket packet, int bytes) {
    long now = fabric.world().now();
    busyUntil = Math.max(now, busyUntil) + bytes * 1_000_000_000L / BYTES_PER_SECOND;
    packet.sent(this);
    fabric.world().schedule(packet, arrival());
    if (fabric.dice().permille(doublePermille)) {
      fabric.world().schedule(packet.copy(), arrival());
    }
  }

  /** Never before what was sent earlier. */
  private long arrival() {
    long time = busyUntil + latency + fabric.dice().below(jitter + 1);
    lastArrival = Math.max(lastArrival + 1, time);
    return lastArrival;
  }

  /** A packet is there; answers whether it goes on to the NIC now. */
  boolean arrives(SoftPacket packet) {
    if (held) {
      kept.add(packet);
      return false;
    }
    if (corruptions > 0) {
      corruptions--;
      return drop(packet);
    }
    if (from.faults().deaf || to.faults().deaf) {
      return drop(packet);
    }
    if (blackhole || !from.up() || !to.up() || fabric.dice().permille(losePermille)) {
      return drop(packet);
    }
    return true;
  }

  private boolean drop(SoftPacket packet) {
    dropped++;
    fabric.recycle(packet);
    return false;
  }
}

package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.SimHost;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.runtime.plain.SoftTent;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * A plain TENT peer. It tells no process from the next, fences nothing, and applies what it has
 * received whenever it comes to it: also when that was given up, and done anew.
 */
final class TentPlace implements Place {
  private static final int PORT = 15_000;

  /** How late a write may be, in milliseconds: less than the grace that nodes wait. */
  private static final int LATEST = 950;

  private final Cluster cluster;
  private final int index;
  private final SimHost host;
  private final MemorySegment memory;
  private final Ground ground;
  private SimProcess process;
  private SoftTent server;
  private boolean alive;
  private boolean steady = true;

  TentPlace(Cluster cluster, int index) {
    this.cluster = cluster;
    this.index = index;
    host =
        cluster.network().host("p" + index, "10.0.0." + (201 + index), "10.0.1." + (201 + index));
    memory = MemorySegment.ofArray(new byte[Ground.REACHED]);
    ground = new Ground(memory);
    ground.renew(cluster.nextVersion());
    start();
  }

  /** Starts a process, with memory of its own. */
  void start() {
    process = host.start("p" + index);
    server = new SoftTent(host.wires(process).open("peer"), memory, address());
    server.listen(
        new InetSocketAddress(
            InetAddress.ofLiteral(host.rail(0).address().getHostAddress()), PORT));
    server.hook((offset, length) -> applied((int) offset, (int) length));
    var dice = process.dice();
    server.lateness(() -> Cluster.MILLI * dice.between(1, LATEST));
    var serving = server;
    process.actor(
        "peer",
        new Actor() {
          @Override
          public int work(long now) {
            return serving.work(now);
          }

          @Override
          public long nextDeadline() {
            return serving.nextDeadline();
          }
        });
    alive = true;
  }

  /**
   * A write that is late, but within the grace, comes while it is open, or given up as unknown.
   * Where the peer stood still, or the network did, it may come later: that is what a plain peer
   * cannot promise, and then nobody knows what is there.
   */
  private void applied(int at, int length) {
    if (ground.mayChange(at, length, 0)) {
      return;
    }
    if (steady) {
      cluster.broken(this + ": [" + at + ", +" + length + ") is written, and no write is open");
    }
    cluster.mark(Mark.LATE_WRITE);
    ground.taintForGood(at, length);
  }

  /** From now on it may be later than the grace. */
  void unsteady() {
    steady = false;
  }

  /** Ends the process, and with it what its memory held. */
  void die(SimProcess.Death death) {
    alive = false;
    if (death == SimProcess.Death.VANISHED) {
      host.powerOff(process);
    } else {
      process.die(death);
    }
    ground.clean(0, Ground.REACHED, cluster.nextVersion());
  }

  SoftTent server() {
    return server;
  }

  void heal() {
    server.heal();
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public String segment() {
    return host.rail(0).address().getHostAddress() + ":" + PORT;
  }

  @Override
  public long generation() {
    return 0;
  }

  @Override
  public Ground ground() {
    return ground;
  }

  @Override
  public long address() {
    return 0x7000_0000_0000L + ((long) index << 24);
  }

  @Override
  public int block() {
    return 1;
  }

  @Override
  public int buffers() {
    return server.lends() ? 1 : 0;
  }

  @Override
  public int registered() {
    return 0;
  }

  @Override
  public boolean holdsForWriting(int at, int length) {
    return false;
  }

  @Override
  public boolean alive() {
    return alive;
  }

  @Override
  public boolean frozen() {
    return process.frozen();
  }

  @Override
  public void freeze() {
    unsteady();
    process.freeze();
  }

  @Override
  public void thaw() {
    process.thaw();
  }

  @Override
  public SimHost host() {
    return host;
  }

  @Override
  public String toString() {
    return "plain peer " + index;
  }
}

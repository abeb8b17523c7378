package dev.shunt.runtime.sim;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.SimHost;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.transport.nof.testing.Rule;
import dev.shunt.transport.nof.testing.SoftOptions;
import dev.shunt.transport.nof.testing.SoftTarget;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A storage target: its namespace outlives its process. */
final class SimTarget implements Place {
  private static final int PORT = 4420;
  private static final int BLOCK = 512;

  private final Cluster cluster;
  private final int index;
  private final SimHost host;
  private final MemorySegment memory;
  private final Ground ground;
  private SimProcess process;
  private SoftTarget target;
  private String segment;
  private boolean alive;

  SimTarget(Cluster cluster, int index) {
    this.cluster = cluster;
    this.index = index;
    host =
        cluster.network().host("t" + index, "10.0.0." + (101 + index), "10.0.1." + (101 + index));
    memory = MemorySegment.ofArray(new byte[Ground.REACHED]);
    ground = new Ground(memory);
    ground.renew(cluster.nextVersion());
    start();
  }

  /** Starts a process, with what the namespace holds. */
  void start() {
    process = host.start("t" + index);
    var dice = process.dice();
    var options =
        new SoftOptions()
            .size(BLOCK, Ground.REACHED / BLOCK)
            .writes(4096, 512)
            .requestPiece(1024)
            .reads(1024, index % 2 == 0)
            .queues(8, 9)
            .service(0, index == 0 ? 40_000 : 0);
    target = new SoftTarget(host.wires(process).open("target"), options, dice::below);
    var soft = target;
    target.listen(
        new InetSocketAddress(
            InetAddress.ofLiteral(host.rail(0).address().getHostAddress()), PORT));
    target.hook((who, offset, length, now) -> applied(soft, (int) offset, (int) length));
    MemorySegment.copy(memory, 0, target.memory(), 0, Ground.REACHED);
    segment = target.name();
    process.actor(
        "target",
        new Actor() {
          @Override
          public int work(long now) {
            return soft.work(now);
          }

          @Override
          public long nextDeadline() {
            return soft.nextDeadline();
          }
        });
    alive = true;
  }

  private void applied(SoftTarget by, int at, int length) {
    if (!ground.mayChange(at, length, 0)) {
      cluster.broken(this + ": [" + at + ", +" + length + ") is written, and no write is open");
    }
    MemorySegment.copy(by.memory(), at, memory, at, length);
  }

  /** Ends the process: what it had not applied, it never does. */
  void die(SimProcess.Death death) {
    alive = false;
    reckon();
    if (death == SimProcess.Death.VANISHED) {
      host.powerOff(process);
    } else {
      process.die(death);
    }
  }

  /** Something goes wrong on it, from a moment on. */
  void rule(Rule rule) {
    target.rule(rule);
  }

  void heal() {
    target.heal();
  }

  void dropAll() {
    cluster.harm().host(host);
    target.dropAll();
  }

  /** No host may have broken the protocol; the network may. */
  void reckon() {
    boolean damaged = cluster.marks().contains(Mark.DATA_DAMAGED);
    if (!damaged && !target.violations().isEmpty()) {
      cluster.broken(this + ": " + target.violations());
    }
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public String segment() {
    return segment;
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
    return 0;
  }

  @Override
  public int block() {
    return BLOCK;
  }

  @Override
  public int buffers() {
    return 1;
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
    return "target " + index;
  }
}

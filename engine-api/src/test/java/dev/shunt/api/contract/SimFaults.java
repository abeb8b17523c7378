package dev.shunt.api.contract;

import dev.shunt.api.contract.ContractKit.Faults;
import dev.shunt.api.sim.SimPath;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** Faults of a stage's own network, whose hosts have their rails in the order of addresses. */
public class SimFaults implements Faults {
  private final VirtualStage stage;
  private final String remote;
  private int strangers;

  /** Faults between the hosts {@code a} and {@code b}. */
  public SimFaults(VirtualStage stage) {
    this(stage, "b");
  }

  /** Faults between {@code a} and another host, a target's. */
  public SimFaults(VirtualStage stage, String remote) {
    this.stage = stage;
    this.remote = remote;
  }

  private SimPath there(int localRail, int remoteRail) {
    return stage
        .network()
        .path(stage.host("a").rail(localRail), stage.host(remote).rail(remoteRail));
  }

  private SimPath back(int localRail, int remoteRail) {
    return stage
        .network()
        .path(stage.host(remote).rail(remoteRail), stage.host("a").rail(localRail));
  }

  @Override
  public boolean cut(int localRail, int remoteRail) {
    there(localRail, remoteRail).cut();
    back(localRail, remoteRail).cut();
    return true;
  }

  @Override
  public boolean hold(int localRail, int remoteRail) {
    there(localRail, remoteRail).hold();
    return true;
  }

  @Override
  public boolean release(int localRail, int remoteRail) {
    there(localRail, remoteRail).release();
    return true;
  }

  @Override
  public boolean silence(int localRail, int remoteRail) {
    there(localRail, remoteRail).blackhole();
    back(localRail, remoteRail).blackhole();
    return true;
  }

  @Override
  public boolean heal(int localRail, int remoteRail) {
    there(localRail, remoteRail).healNow();
    back(localRail, remoteRail).healNow();
    return true;
  }

  @Override
  public boolean duplicateConnects(int localRail, int remoteRail) {
    there(localRail, remoteRail).duplicateConnects(10);
    return true;
  }

  /**
   * A stranger connects to an address, writes something and closes. For {@link #nonsense}, by those
   * who know where their transport listens.
   */
  protected final boolean throwAt(InetSocketAddress address, byte[] bytes) {
    strangers++;
    var host = stage.host("stranger " + strangers, "10.255.255." + strangers);
    var process = host.start(host.name());
    var loop = host.wires(process).open("stranger");
    loop.connect(new InetSocketAddress(host.rail(0).address(), 0), address, new Stranger(bytes));
    process.actor("stranger", loop::poll);
    return true;
  }

  private static final class Stranger implements WireHandler {
    private final MemorySegment bytes;
    private long sent;

    Stranger(byte[] bytes) {
      this.bytes = MemorySegment.ofArray(bytes);
    }

    @Override
    public void connected(Wire wire, long now) {
      wire.interest(false, true);
    }

    @Override
    public void readable(Wire wire, long now) {
      wire.interest(false, true);
    }

    @Override
    public void writable(Wire wire, long now) {
      sent += wire.write(bytes, sent, bytes.byteSize() - sent);
      if (sent == bytes.byteSize()) {
        wire.close();
      }
    }

    @Override
    public void failed(Wire wire, WireException cause, long now) {
      sent = bytes.byteSize();
    }
  }
}

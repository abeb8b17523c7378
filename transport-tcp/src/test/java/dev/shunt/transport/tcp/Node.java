package dev.shunt.transport.tcp;

import com.typesafe.config.Config;
import dev.shunt.api.Access;
import dev.shunt.api.sim.SimHost;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.sim.World;
import dev.shunt.api.spi.Attempts;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.Verdict;
import dev.shunt.api.spi.Wires;
import dev.shunt.transport.tcp.testing.FakeLinks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node in a virtual world: the transport, and the little that it needs around it. */
final class Node implements TransportContext, RailListener {
  static final long SECOND = 1_000_000_000L;

  final World world;
  final SimProcess process;
  final TcpTransport transport;
  final List<TcpRail> rails;
  final List<NodeLane> lanes = new ArrayList<>();
  final Memory memory = new Memory();
  final FakeLinks links;

  /** What was told of rails, in words. */
  final List<String> told = new ArrayList<>();

  private final long generation;
  private final Config config;
  private final Wires wires;
  private final NodeSupervisor supervisor;
  Verdict verdict = new Verdict(Map.of("tcp.stream", 2));
  private long attempts;

  Node(World world, SimHost host, long generation, int laneCount, Config config) {
    this.world = world;
    this.generation = generation;
    this.config = config;
    process = host.start(host.name());
    wires = host.wires(process);
    supervisor = new NodeSupervisor(process);
    for (int i = 0; i < laneCount; i++) {
      lanes.add(new NodeLane(world));
    }
    links =
        new FakeLinks(
            host.rails().stream().map(it -> it.address().getHostAddress()).toArray(String[]::new));
    transport = (TcpTransport) new TcpTransportProvider(links).create(this);
    rails = transport.start(this);
    for (int i = 0; i < laneCount; i++) {
      lanes.get(i).run(process, "lane " + i, transport.openLane(i, lanes.get(i)));
    }
  }

  Remote.Node remote() {
    return new Remote.Node("node", generation, verdict);
  }

  RemoteRail rail(int index) {
    var rail = rails.get(index);
    return new RemoteRail(rail.name(), index, rail.attributes());
  }

  /** Asks for a channel to another node; the lane remembers the answer. */
  LinkId connect(Node to, int lane, int rail) {
    return connect(to.remote(), lane, rail, to.rail(rail), 5 * SECOND);
  }

  LinkId connect(Remote to, int lane, int rail, RemoteRail remoteRail, long within) {
    var id = new LinkId(generation, ++attempts);
    transport.connect(
        new ConnectRequest(id, to, rails.get(rail), remoteRail, lane, world.now() + within));
    return id;
  }

  @Override
  public Config config() {
    return config;
  }

  @Override
  public String node() {
    return process.name();
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public long now() {
    return world.now();
  }

  @Override
  public long random() {
    return process.dice().next();
  }

  @Override
  public int lanes() {
    return lanes.size();
  }

  @Override
  public Mailbox lane(int lane) {
    return lanes.get(lane);
  }

  @Override
  public Supervisor supervisor() {
    return supervisor;
  }

  @Override
  public Regions regions() {
    return memory;
  }

  @Override
  public ControlPlane control() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Wires wires() {
    return wires;
  }

  @Override
  public Attempts attempts() {
    return new NodeAttempts(this);
  }

  @Override
  public void inactive(Rail rail, RailLoss loss, Fault cause) {
    if (loss != RailLoss.LINK || cause.blame() != Fault.Blame.LOCAL) {
      throw new AssertionError(loss + " " + cause);
    }
    told.add("lost " + rail.index());
  }

  @Override
  public void returned(Rail rail) {
    told.add("back " + rail.index());
  }

  @Override
  public void changed(Rail rail) {
    told.add("changed " + rail.index());
  }

  /** One registration, key 1, of 256 KiB. */
  static final class Memory implements Regions {
    final MemorySegment segment = Arena.ofAuto().allocate(256 << 10, 8);
    Access access = Access.REMOTE_READ_WRITE;
    int leases;
    private final Lease.Holder holder = () -> leases--;

    @Override
    public Refusal acquire(long address, long length, long key, boolean write, Lease lease) {
      long offset = address - segment.address();
      if (offset < 0 || length < 0 || offset > segment.byteSize() - length) {
        return Refusal.RANGE;
      }
      if (key != 1) {
        return Refusal.KEY;
      }
      if (write ? !access.writable() : !access.readable()) {
        return Refusal.ACCESS;
      }
      leases++;
      lease.grant(holder, segment, offset);
      return Refusal.NONE;
    }
  }
}

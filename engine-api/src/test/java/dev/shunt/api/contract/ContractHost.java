package dev.shunt.api.contract;

import dev.shunt.api.Access;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Limits;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.Transport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A node without an engine: just what a transport needs around it. */
public final class ContractHost {
  private final ContractKit kit;
  private final Stage stage;
  private final String name;
  private final long generation;
  private final Map<String, ContractHost> directory;
  private final List<String> violations = new ArrayList<>();
  private final List<HostLane> lanes = new ArrayList<>();
  private final Map<ConnectRequest, ConnectAnswer> asked = new HashMap<>();
  private final HostRegions regions;
  private final HostSupervisor supervisor;
  private final HostControl control;
  private final Transport transport;
  private final Limits limits;
  private final List<? extends Rail> rails;
  private long attempts;
  private boolean silent;
  private boolean closed;
  private boolean killed;
  private boolean notifies;

  ContractHost(ContractKit kit, String name, long generation, Map<String, ContractHost> directory) {
    this.kit = kit;
    this.stage = kit.stage();
    this.name = name;
    this.generation = generation;
    this.directory = directory;
    stage.start(name);
    var wires = stage.wires(name);
    regions = new HostRegions(generation << 20);
    supervisor = new HostSupervisor(stage, name, wires);
    control = new HostControl(this);
    for (int i = 0; i < kit.lanes(); i++) {
      lanes.add(new HostLane(this, i));
    }
    directory.put(name, this);
    transport = kit.provider(name).create(new HostContext(this, kit.config(name), wires));
    limits = transport.limits();
    rails = transport.start(new Rails());
    for (var lane : lanes) {
      lane.start(transport.openLane(lane.number(), lane));
    }
    for (var lane : lanes) {
      notifies |= transport.openNotify(lane.number(), 0, lane.notifications());
    }
  }

  Stage stage() {
    return stage;
  }

  Map<String, ContractHost> directory() {
    return directory;
  }

  HostSupervisor supervisor() {
    return supervisor;
  }

  HostControl control() {
    return control;
  }

  HostRegions regions() {
    return regions;
  }

  HostLane lane(int number) {
    return lanes.get(number);
  }

  int lanes() {
    return lanes.size();
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Its generation. */
  public long generation() {
    return generation;
  }

  /** The transport on it. */
  public Transport transport() {
    return transport;
  }

  /** What the transport promises. */
  public Limits limits() {
    return limits;
  }

  /** Its rails. */
  public List<? extends Rail> rails() {
    return rails;
  }

  /** Makes its control plane deaf and dumb, or ends that. */
  public void silence(boolean on) {
    silent = on;
  }

  /** Whether the transport has ports for notifications. */
  boolean notifies() {
    return notifies;
  }

  boolean silent() {
    return silent;
  }

  boolean killed() {
    return killed;
  }

  boolean closed() {
    return closed;
  }

  /** Its rails, as a remote's descriptor shows them. */
  List<RemoteRail> described() {
    return rails.stream()
        .map(rail -> new RemoteRail(rail.name(), rail.index(), rail.attributes()))
        .toList();
  }

  Remote.Node asRemote() {
    return new Remote.Node(name, generation, kit.verdict());
  }

  /** Registers memory on all rails. */
  public HostRegion register(MemorySegment memory, Access access) {
    var region = regions.add(memory, access);
    for (var rail : rails) {
      region.keys().add(transport.register(rail, region));
    }
    return region;
  }

  /** Ends a registration; leases that are held stay held. */
  public void unregister(HostRegion region) {
    regions.remove(region);
    region.keys().forEach(transport::unregister);
  }

  /** A name for a link that none had. */
  LinkId freshId() {
    attempts++;
    return new LinkId(generation, attempts);
  }

  ConnectAnswer connect(ConnectRequest request) {
    var answer = new ConnectAnswer(request, stage);
    asked.put(request, answer);
    supervisor.execute(() -> transport.connect(request));
    return answer;
  }

  /** The question to an answer, if the answer is in order. */
  ConnectAnswer answer(ConnectRequest request, HostLane on) {
    var answer = asked.get(request);
    if (answer == null) {
      violated("an answer to a request that was not made: " + request);
    } else if (answer.answered()) {
      violated("a second answer to the request " + answer);
      return null;
    } else if (request.lane() != on.number()) {
      violated("an answer on lane " + on.number() + " to a request of lane " + request.lane());
    }
    return answer;
  }

  /** For tests that connect often: what was answered needs no second look. */
  void forgetAnswers() {
    asked.values().removeIf(ConnectAnswer::answered);
  }

  void violated(String what) {
    violations.add(name + ": " + what);
  }

  List<String> violations() {
    return violations;
  }

  /** Closes it in order: the lanes' drivers, then the transport. */
  public void close() {
    if (!closed) {
      closed = true;
      lanes.forEach(HostLane::close);
      transport.close();
      supervisor.end();
    }
  }

  /** Ends its process without a word to the transport. */
  public void kill(Death death) {
    closed = true;
    killed = true;
    stage.kill(name, death);
    kit.died(name, death == Death.VANISHED);
    lanes.forEach(HostLane::abandon);
  }

  private final class Rails implements RailListener {
    @Override
    public void inactive(Rail rail, RailLoss loss, Fault cause) {
      known(rail);
    }

    @Override
    public void returned(Rail rail) {
      known(rail);
    }

    @Override
    public void changed(Rail rail) {
      known(rail);
    }

    private void known(Rail rail) {
      if (rails != null && !rails.contains(rail)) {
        violated("an event of a rail that start did not give: " + rail.name());
      }
    }
  }
}

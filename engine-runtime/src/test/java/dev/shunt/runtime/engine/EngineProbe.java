package dev.shunt.runtime.engine;

import dev.shunt.runtime.memory.BufferTable;
import dev.shunt.runtime.peer.RemoteState;
import dev.shunt.runtime.transfer.core.Counter;
import dev.shunt.runtime.transport.TransportHost;
import java.util.List;

/** Lets a simulator look inside an engine without taking turns of its agents. */
public final class EngineProbe {
  private final Node node;

  /** Looks into an engine. */
  public EngineProbe(ShuntEngine engine) {
    node = engine.node;
  }

  /** The sum over all lanes. */
  public long count(Counter counter) {
    long sum = 0;
    for (var host : node.transports) {
      for (var lane : host.laneAgents()) {
        sum += lane.counters().value(counter);
      }
    }
    return sum;
  }

  /** The sum over all lanes of a transport. */
  public long count(Counter counter, String transport) {
    long sum = 0;
    for (var host : node.transports) {
      if (host.id().equals(transport)) {
        for (var lane : host.laneAgents()) {
          sum += lane.counters().value(counter);
        }
      }
    }
    return sum;
  }

  /** What is known of other nodes. */
  public List<RemoteState> peers() {
    return node.peers.known();
  }

  /** Its registered memory. */
  public BufferTable buffers() {
    return node.buffers;
  }

  /** Its transports. */
  public List<TransportHost> transports() {
    return node.transports;
  }
}

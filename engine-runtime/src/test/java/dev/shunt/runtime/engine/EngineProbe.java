package dev.shunt.runtime.engine;

import dev.shunt.runtime.memory.BufferTable;
import dev.shunt.runtime.peer.RemoteState;
import dev.shunt.runtime.transfer.core.Counter;
import dev.shunt.runtime.transport.RailBook;
import dev.shunt.runtime.transport.TransportHost;
import java.util.List;
import java.util.stream.IntStream;

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

  /** An operator takes a rail out of use. */
  public void drain(String transport, int rail) {
    book(transport).drain(rail, _ -> {});
  }

  /** An operator brings a rail back. */
  public void restore(String transport, int rail) {
    book(transport).restore(rail, _ -> {});
  }

  /** The rails of a transport that are not in use. */
  public List<Integer> inactiveRails(String transport) {
    var book = book(transport);
    return IntStream.range(0, book.records().size())
        .filter(rail -> !book.active(rail))
        .boxed()
        .toList();
  }

  private RailBook book(String transport) {
    return node.transports.stream()
        .filter(host -> host.id().equals(transport))
        .findFirst()
        .orElseThrow()
        .railBook();
  }

  /** What it tells of itself. */
  public byte[] descriptor() {
    return node.descriptor.text();
  }

  /** Its transports. */
  public List<TransportHost> transports() {
    return node.transports;
  }
}

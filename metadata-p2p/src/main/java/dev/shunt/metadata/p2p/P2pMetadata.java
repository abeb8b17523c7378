package dev.shunt.metadata.p2p;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Lookup;
import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.MetadataContext;
import java.util.function.Consumer;

/** Asks nodes for their descriptors. Nothing is published: each node answers for itself. */
final class P2pMetadata implements MetadataBackend {
  private final MetadataContext context;
  private volatile boolean closed;

  P2pMetadata(MetadataContext context) {
    this.context = context;
  }

  /** Peers have only the address to find this node by, so a configured name would be of no use. */
  @Override
  public String nodeName(String configured, String controlAddress) {
    return controlAddress;
  }

  @Override
  public void publish(String name, String descriptor) {}

  @Override
  public void withdraw(String name) {}

  @Override
  public void lookup(String name, long deadline, Consumer<Lookup> answer) {
    if (closed) {
      answer.accept(
          new Lookup.Failed(
              new Fault(
                  Fault.Blame.REQUEST,
                  FailureCode.CLOSED,
                  Fault.Effect.NONE,
                  "the engine is closed")));
    } else if (!NodeAddress.isOne(name)) {
      answer.accept(
          new Lookup.Unknown(
              "'"
                  + NodeAddress.shown(name)
                  + "' is no node's name under p2p; right is host:port or [IPv6]:port, as the node"
                  + " itself shows it"));
    } else if (deadline - context.now() <= 0) {
      answer.accept(
          new Lookup.Failed(
              new Fault(
                  Fault.Blame.NEUTRAL,
                  FailureCode.DEADLINE,
                  Fault.Effect.NONE,
                  "the deadline passed before " + name + " could be asked")));
    } else {
      context.ask(name, deadline, answer);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}

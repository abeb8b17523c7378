package dev.shunt.transport.rdma;

import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;

/** A link that we asked for. */
record RdmaLink(LinkId id, Remote.Node remote, RdmaRail local, RemoteRail remoteRail)
    implements Link {
  /** Whether the peer is one that knows nothing of links: it has one connection for both sides. */
  boolean plain() {
    return remote.generation() == 0;
  }

  @Override
  public String toString() {
    return local.name() + " -> " + remoteRail.name() + " of " + remote.name();
  }
}

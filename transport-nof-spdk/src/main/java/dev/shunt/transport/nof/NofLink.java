package dev.shunt.transport.nof;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;

/** One qpair's link; the controller behind it is shared by all links of a path. */
record NofLink(LinkId id, Remote remote, Rail local, RemoteRail remoteRail) implements Link {
  static NofLink of(ConnectRequest request) {
    return new NofLink(request.id(), request.remote(), request.local(), request.remoteRail());
  }
}

package org.example.shunt.unix;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;

/** One connection makes one link. */
record UnixLink(LinkId id, Remote remote, Rail local, RemoteRail remoteRail) implements Link {
  static UnixLink of(ConnectRequest request) {
    return new UnixLink(request.id(), request.remote(), request.local(), request.remoteRail());
  }
}

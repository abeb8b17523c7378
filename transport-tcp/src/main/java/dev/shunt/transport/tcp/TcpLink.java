package dev.shunt.transport.tcp;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;

/** A link: it has one channel, of one stream or several. */
record TcpLink(LinkId id, Remote remote, Rail local, RemoteRail remoteRail) implements Link {
  static TcpLink of(ConnectRequest request) {
    return new TcpLink(request.id(), request.remote(), request.local(), request.remoteRail());
  }
}

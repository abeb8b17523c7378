package dev.shunt.transport.tcp;

import dev.shunt.api.spi.Rail;
import java.net.InetSocketAddress;
import java.util.Map;

/** A local address. The port may become another one when it is listened on anew. */
final class TcpRail implements Rail {
  private final TcpSettings.RailSettings settings;
  private final int index;
  private final InetSocketAddress bind;
  private volatile int port;

  TcpRail(TcpSettings.RailSettings settings, int index, int port) {
    this.settings = settings;
    this.index = index;
    this.bind = new InetSocketAddress(settings.bind().getAddress(), 0);
    this.port = port;
  }

  @Override
  public String name() {
    return settings.name();
  }

  @Override
  public int index() {
    return index;
  }

  /** Where streams are connected from; the port is 0. */
  InetSocketAddress bind() {
    return bind;
  }

  /** The port that it should listen on; 0 for any. */
  int wantedPort() {
    return settings.bind().getPort();
  }

  /** The port that it listens on. */
  int port() {
    return port;
  }

  void port(int now) {
    port = now;
  }

  /** What peers need: {@code address} (or a name) and {@code port}. */
  @Override
  public Map<String, String> attributes() {
    return Map.of("address", settings.advertise(), "port", Integer.toString(port));
  }

  @Override
  public String toString() {
    return "rail " + name() + " (" + bind.getAddress().getHostAddress() + ":" + port + ")";
  }
}

package dev.shunt.transport.rdma;

import dev.shunt.api.spi.Rail;
import dev.shunt.transport.rdma.core.RailLife;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.PortInfo;
import java.util.Map;

/** A port of a device. The supervisor's, but for what the SPI lets any thread ask. */
final class RdmaRail implements Rail {
  private final String name;
  private final int index;
  private final RdmaDevice device;
  private final int port;
  private final RailLife life;
  private PortInfo info;
  private GidEntry gid;
  private volatile boolean active = true;
  private volatile Map<String, String> attributes;

  RdmaRail(String name, int index, RdmaDevice device, int port, RailLife life) {
    this.name = name;
    this.index = index;
    this.device = device;
    this.port = port;
    this.life = life;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public Map<String, String> attributes() {
    return attributes;
  }

  @Override
  public String location() {
    int node = device.origin().numaNode();
    return node < 0 ? "" : "cpu:" + node;
  }

  RdmaDevice device() {
    return device;
  }

  int port() {
    return port;
  }

  RailLife life() {
    return life;
  }

  PortInfo info() {
    return info;
  }

  GidEntry gid() {
    return gid;
  }

  /** Whether it carries data; lanes ask too. */
  boolean active() {
    return active;
  }

  /** After {@link #life()} changed. */
  void refresh() {
    active = life.active();
  }

  /** Takes what the port tells now; answers whether peers must be told. */
  boolean update(PortInfo port, GidEntry entry) {
    info = port;
    gid = entry;
    var published = Map.of("gid", entry.gid().toString(), "lid", Integer.toString(port.lid()));
    boolean changed = !published.equals(attributes);
    attributes = published;
    return changed;
  }

  @Override
  public String toString() {
    return name;
  }
}

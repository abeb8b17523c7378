package dev.shunt.runtime.engine;

import dev.shunt.api.spi.TransportException;
import dev.shunt.runtime.config.EngineConfig;
import dev.shunt.runtime.config.Listening;
import dev.shunt.runtime.control.ControlOptions;
import dev.shunt.runtime.control.ControlService;
import java.net.InetSocketAddress;
import java.util.List;

/** Where a node's control plane listens, and how: from configuration. */
final class ControlPlace {
  private ControlPlace() {}

  /** How the control plane is to behave. */
  static ControlOptions options(EngineConfig config) {
    var rpc = config.rpc();
    return new ControlOptions(
        rpc.connectTimeout(),
        rpc.requestTimeout(),
        rpc.progressTimeout(),
        rpc.idleTimeout(),
        rpc.maxFrame(),
        rpc.maxConnections(),
        rpc.maxPending(),
        rpc.maxUnsent(),
        rpc.maxBuffered(),
        rpc.maxOutstanding(),
        rpc.connectionsPerPeer());
  }

  /** Listens where configuration says; an error names its key. */
  static List<InetSocketAddress> listen(ControlService control, EngineConfig config) {
    try {
      return control.listen(bind(config));
    } catch (TransportException e) {
      throw Listening.refused(config, e);
    }
  }

  private static List<InetSocketAddress> bind(EngineConfig config) {
    return config.control().bind().stream()
        .map(address -> new InetSocketAddress(address, config.control().port()))
        .toList();
  }

  /** What peers are told to connect to. */
  static List<String> advertised(EngineConfig config, List<InetSocketAddress> listening) {
    var port = listening.getFirst().getPort();
    if (config.control().advertise().isEmpty()) {
      return listening.stream().map(HostPort::text).toList();
    }
    return config.control().advertise().stream().map(a -> HostPort.withPort(a, port)).toList();
  }
}

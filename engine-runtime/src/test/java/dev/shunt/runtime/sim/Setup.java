package dev.shunt.runtime.sim;

import com.typesafe.config.ConfigFactory;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.metadata.p2p.P2pMetadataProvider;
import dev.shunt.policy.failover.ShuntFailoverProvider;
import dev.shunt.runtime.config.ConfigLayers;
import dev.shunt.runtime.config.ConfigLoader;
import dev.shunt.runtime.config.EngineConfig;
import dev.shunt.runtime.config.Loaded;
import dev.shunt.runtime.discovery.Discovered;
import dev.shunt.runtime.discovery.Discovery;
import dev.shunt.runtime.discovery.Found;
import dev.shunt.runtime.discovery.Given;
import dev.shunt.runtime.plain.PlainTransportProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What all engines of a kind start with: read and checked once, and kept for each node. */
final class Setup {
  /** The control plane's port on each node: the same after a restart. */
  static final int PORT = 7000;

  /** What a newer image offers beside: nobody uses it, all negotiate it. */
  static final String NEWER = "sim.newer";

  private final Loaded base;
  private final ConcurrentMap<String, EngineConfig> configs = new ConcurrentHashMap<>();

  private final String main;

  /**
   * With a transport, as its fabric sets it; and with the engine's own towards plain peers, for
   * those that ask for it.
   */
  Setup(TransportProvider transport, Map<String, Object> transportSettings) {
    main = transport.id();
    var all = new ArrayList<TransportProvider>(List.of(transport));
    var values = new LinkedHashMap<String, Object>();
    values.put("control.port", PORT);
    values.put("rpc.connect-timeout", "700 ms");
    values.put("rpc.request-timeout", "1 s");
    values.put("rpc.notify-timeout", "1 s");
    values.put("rpc.progress-timeout", "1 s");
    values.put("rpc.idle-timeout", "20 s");
    values.put("rpc.probe-timeout", "300 ms");
    values.put("peer-health.cooldown", "300 ms");
    values.put("peer-health.max-cooldown", "2 s");
    values.put("peer-health.probe-interval", "200 ms");
    values.put("peer-health.max-age", "10 s");
    values.put("failover.recovery-delay", "300 ms");
    values.put("failover.max-recovery-delay", "1500 ms");
    values.put("failover.failures-in-a-row", 4);
    values.put("notification.inbox-size", 256);
    values.put("transfer.deadline", "3 s");
    values.put("transfer.queue", 12);
    values.put("transfer.drain-limit", "1 s");
    transportSettings.forEach(
        (key, value) -> values.put("transports." + transport.id() + "." + key, value));
    if (!main.equals(PlainTransportProvider.ID)) {
      all.add(new PlainTransportProvider());
      PlainFabric.settings().forEach((key, value) -> values.put("transports.tent." + key, value));
    }
    base =
        ConfigLoader.load(
            new ConfigLayers(values, ConfigFactory.empty()),
            Discovery.only(
                new Given(
                    all,
                    List.of(new P2pMetadataProvider()),
                    Optional.of(new ShuntFailoverProvider()))));
  }

  /**
   * What one process starts with.
   *
   * @param own values of its own, by a path under {@code shunt}
   * @param newest the highest version of {@link #NEWER} that it offers
   * @param transport what stands for the transport under test
   * @param policy whether it has the failover policy
   */
  Loaded of(
      Map<String, Object> own,
      int newest,
      TransportProvider transport,
      boolean policy,
      Guard guard) {
    var config = configs.computeIfAbsent(own.toString(), _ -> base.config().with(own));
    var found = base.discovered();
    var transports = new ArrayList<Found<TransportProvider>>();
    for (var one : found.transports()) {
      var offers = new ArrayList<>(one.capabilities());
      boolean tested = one.id().equals(main);
      if (tested) {
        offers.add(Capability.of(NEWER, 1, newest));
      }
      transports.add(
          new Found<>(
              one.kind(),
              tested ? transport : new CheckedProvider(one.provider(), guard),
              one.id(),
              one.version(),
              offers,
              one.origin(),
              one.defaults()));
    }
    var failover =
        found
            .failover()
            .filter(_ -> policy)
            .map(
                one ->
                    new Found<FailoverProvider>(
                        one.kind(),
                        new CheckedPolicy(one.provider(), guard),
                        one.id(),
                        one.version(),
                        one.capabilities(),
                        one.origin(),
                        one.defaults()));
    return new Loaded(
        config,
        new Discovered(
            transports, found.metadata(), failover, found.plugins(), found.defaultsOfUnused()),
        List.of());
  }
}

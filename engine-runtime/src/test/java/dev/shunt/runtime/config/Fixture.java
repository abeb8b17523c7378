package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.FailoverSettings;
import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.MetadataContext;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.Provider;
import dev.shunt.api.spi.Spi;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.runtime.discovery.Discovered;
import dev.shunt.runtime.discovery.Found;
import dev.shunt.runtime.discovery.Kind;
import dev.shunt.runtime.discovery.Origin;
import dev.shunt.runtime.discovery.Plugin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plug-ins that only have configuration. */
final class Fixture {
  private static final Origin HERE = new Origin("", "a test");

  private Fixture() {}

  static Discovered discovered() {
    return of(
        List.of(transport("tcp", "port = 0\n depth = 256\n idle = 30s\n rails = [\"127.0.0.1\"]")),
        List.of());
  }

  static Discovered of(List<Found<TransportProvider>> transports, List<Plugin> failed) {
    var metadata = metadata("p2p");
    var failover = failover();
    var plugins = new ArrayList<>(failed);
    transports.forEach(f -> plugins.add(active(f)));
    plugins.add(active(metadata));
    plugins.add(active(failover));
    return new Discovered(transports, List.of(metadata), Optional.of(failover), plugins, List.of());
  }

  static Plugin failed(Kind kind) {
    return new Plugin(Optional.of(kind), "acme.Broken", "", HERE, Plugin.State.FAILED, "it threw");
  }

  static Found<TransportProvider> transport(String id, String defaults) {
    return transport(new Moves(id), defaults);
  }

  static Found<TransportProvider> transport(Moves provider, String defaults) {
    return found(
        Kind.TRANSPORT, provider, defaults(Kind.TRANSPORT.section(provider.id()), defaults));
  }

  static Loaded load(String text) {
    return load(text, discovered());
  }

  static Loaded load(String text, Discovered discovered) {
    return ConfigLoader.load(ConfigLayers.of(parse(text)), discovered);
  }

  static Loaded loadWith(Map<String, Object> overrides, String text) {
    return ConfigLoader.load(new ConfigLayers(overrides, parse(text)), discovered());
  }

  static Config parse(String text) {
    return ConfigFactory.parseString(
        text, ConfigParseOptions.defaults().setOriginDescription("cluster.conf"));
  }

  private static Found<MetadataProvider> metadata(String id) {
    return found(Kind.METADATA, new Finds(id), ConfigFactory.empty());
  }

  private static Found<FailoverProvider> failover() {
    return found(
        Kind.FAILOVER,
        new Decides(),
        defaults("shunt.failover", "max-attempts = 9\n recovery-delay = 30s"));
  }

  private static Config defaults(String section, String text) {
    return ConfigFactory.parseString(
            text, ConfigParseOptions.defaults().setOriginDescription("a test's reference.conf"))
        .atPath(section);
  }

  private static <P extends Provider> Found<P> found(Kind kind, P provider, Config defaults) {
    return new Found<>(
        kind, provider, provider.id(), provider.version(), provider.capabilities(), HERE, defaults);
  }

  private static Plugin active(Found<?> found) {
    return new Plugin(Optional.of(found.kind()), found.id(), "1", HERE, Plugin.State.ACTIVE, "");
  }

  /** A transport that checks its depth. */
  static class Moves implements TransportProvider {
    private final String id;

    Moves(String id) {
      this.id = id;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public int spiVersion() {
      return Spi.VERSION;
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public List<Capability> capabilities() {
      return List.of(Capability.of(id + ".stream", 1, 1));
    }

    @Override
    public void validate(Config config) {
      if (config.hasPath("depth") && config.getInt("depth") > 4096) {
        throw new ConfigException.BadValue(
            config.getValue("depth").origin(), "depth", "right is 1 to 4096");
      }
    }

    @Override
    public Transport create(TransportContext context) {
      throw new UnsupportedOperationException();
    }
  }

  private record Finds(String id) implements MetadataProvider {
    @Override
    public int spiVersion() {
      return Spi.VERSION;
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public MetadataBackend create(MetadataContext context) {
      throw new UnsupportedOperationException();
    }
  }

  private record Decides() implements FailoverProvider {
    @Override
    public String id() {
      return "failover";
    }

    @Override
    public int spiVersion() {
      return Spi.VERSION;
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public FailoverPolicy create(FailoverSettings settings) {
      throw new UnsupportedOperationException();
    }
  }
}

package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigResolveOptions;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.runtime.discovery.Discovered;
import dev.shunt.runtime.discovery.Discovery;
import dev.shunt.runtime.discovery.Foreign;
import dev.shunt.runtime.discovery.Found;
import dev.shunt.runtime.discovery.Given;
import dev.shunt.runtime.discovery.Kind;
import dev.shunt.runtime.discovery.Plugin;
import dev.shunt.runtime.discovery.Reference;
import dev.shunt.runtime.discovery.Remedies;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds plug-ins and reads configuration, in the order in which the one needs the other: where the
 * plug-ins are, their defaults, all values, and what each plug-in says of its own.
 */
public final class ConfigLoader {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigLoader.class);

  private ConfigLoader() {}

  /**
   * Finds and reads.
   *
   * @throws dev.shunt.api.ShuntException with CONFIGURATION; all that is wrong is told at once, a
   *     line for each
   */
  public static Loaded load(ConfigLayers layers, Given given) {
    var plugins = plugins(layers);
    return load(layers, Discovery.find(plugins.directory(), plugins.nativeAccess(), given));
  }

  /** Where plug-ins are; to be known before anything else is. */
  public static PluginsConfig plugins(ConfigLayers layers) {
    var config = resolve(layers.flattened().withFallback(Reference.ofRuntime()), true);
    try {
      return PluginsConfig.of(new Values(config));
    } catch (ConfigException.NotResolved e) {
      throw unreadable(e, "shunt.plugins");
    }
  }

  /** Reads, with the plug-ins that were found. */
  public static Loaded load(ConfigLayers layers, Discovered found) {
    var user = layers.flattened();
    var merged = resolve(user.withFallback(Defaults.of(found)), false);
    var strictness =
        new Strictness(
            Defaults.known(found).getObject("shunt"), section -> mayHaveFailed(found, section));
    strictness.check(merged.getValue("shunt"));
    refuse(strictness.problems());

    var problems = new ArrayList<Problem>();
    var discovered = wanted(found, merged);
    discovered = validated(discovered, merged, problems);
    var config = EngineConfig.read(inUse(merged, discovered), problems);
    CapabilityCheck.check(config, discovered, problems);
    PreferCheck.check(config, found, problems);
    backend(config, discovered, problems);
    refuse(problems);
    discovered.require(config.plugins().required());
    var notes = strictness.notes();
    notes.forEach(LOG::info);
    return new Loaded(config, backendOnly(discovered, config), notes);
  }

  private static Config resolve(Config config, boolean partly) {
    try {
      return config.resolve(ConfigResolveOptions.defaults().setAllowUnresolved(partly));
    } catch (ConfigException e) {
      throw unreadable(e, "shunt");
    }
  }

  private static InvalidConfigurationException unreadable(ConfigException e, String path) {
    return new InvalidConfigurationException(List.of(problem(Problem.Kind.UNREADABLE, path, e)), e);
  }

  private static Problem problem(Problem.Kind kind, String path, ConfigException e) {
    var text = String.valueOf(e.getMessage());
    var prefix = e.origin() == null ? "" : e.origin().description() + ": ";
    return Problem.at(
        e.origin(), kind, path, text.startsWith(prefix) ? text.substring(prefix.length()) : text);
  }

  private static void refuse(List<Problem> problems) {
    if (!problems.isEmpty()) {
      throw new InvalidConfigurationException(problems);
    }
  }

  private static boolean mayHaveFailed(Discovered found, String section) {
    var kind = section.equals("shunt.transports") ? Kind.TRANSPORT : Kind.METADATA;
    return found.failed().stream().anyMatch(p -> p.kind().isEmpty() || p.kind().get() == kind);
  }

  private static Discovered wanted(Discovered found, Config merged) {
    var left = found;
    for (Found<TransportProvider> transport : found.transports()) {
      if (!merged.getBoolean(transport.section() + ".enable")) {
        left =
            left.without(transport, Plugin.State.DISABLED, transport.section() + ".enable = false");
      }
    }
    return left;
  }

  private static Discovered validated(Discovered found, Config merged, List<Problem> problems) {
    var left = found;
    for (var plugin : found.active()) {
      var section = plugin.section();
      var own = merged.hasPath(section) ? merged.getConfig(section) : ConfigFactory.empty();
      var thrown =
          Foreign.call(
                  () -> {
                    plugin.provider().validate(own);
                    return null;
                  })
              .thrown();
      if (thrown instanceof ConfigException e) {
        problems.add(problem(Problem.Kind.OUT_OF_RANGE, section, e));
      } else if (thrown != null) {
        var cause = "it could not check its configuration: " + Remedies.text(thrown);
        left = left.without(plugin, Plugin.State.FAILED, cause);
        LOG.warn("{} {} of {}: {}", plugin.kind().label(), plugin.id(), plugin.origin(), cause);
      }
    }
    return left;
  }

  /** Without the sections that nobody reads. */
  private static Config inUse(Config merged, Discovered discovered) {
    var config = merged;
    for (var id : merged.getObject("shunt.transports").keySet()) {
      if (discovered.transport(id).isEmpty()) {
        config = config.withoutPath(Strictness.join("shunt.transports", id));
      }
    }
    return config;
  }

  private static void backend(EngineConfig config, Discovered discovered, List<Problem> problems) {
    var type = config.metadata().type();
    if (discovered.metadata(type).isEmpty()) {
      var there = discovered.metadata().stream().map(Found::id).toList();
      var failed =
          discovered.failed().stream()
              .filter(p -> p.kind().isEmpty() || p.kind().get() == Kind.METADATA)
              .map(Plugin::describe)
              .toList();
      new Values(config.merged(), problems)
          .wrong(
              "metadata.type",
              "there is no metadata plug-in '"
                  + type
                  + "'; there are "
                  + there
                  + (failed.isEmpty() ? "" : "; what failed: " + String.join("; ", failed)));
    }
  }

  private static Discovered backendOnly(Discovered discovered, EngineConfig config) {
    var left = discovered;
    for (var backend : discovered.metadata()) {
      if (!backend.id().equals(config.metadata().type())) {
        left =
            left.without(
                backend,
                Plugin.State.DISABLED,
                "shunt.metadata.type = " + config.metadata().type());
      }
    }
    return left;
  }
}

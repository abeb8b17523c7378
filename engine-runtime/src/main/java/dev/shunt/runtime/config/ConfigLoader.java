package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.runtime.discovery.Discovered;
import dev.shunt.runtime.discovery.Discovery;
import dev.shunt.runtime.discovery.Given;
import dev.shunt.runtime.discovery.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    return told(inspect(layers, given).orThrow());
  }

  /** Reads, with the plug-ins that were found. */
  public static Loaded load(ConfigLayers layers, Discovered found) {
    return told(new Inspector(layers, found).inspect().orThrow());
  }

  /** Finds and reads, and refuses nothing: what is wrong is in the answer. */
  public static Inspection inspect(ConfigLayers layers, Given given) {
    var problems = new ArrayList<Problem>();
    var found = found(layers, given, problems);
    var inspection = new Inspector(layers, found).inspect();
    if (inspection.problems().stream().anyMatch(p -> p.kind() == Problem.Kind.UNREADABLE)) {
      // What kept the place of the plug-ins from being known is among them.
      problems.removeIf(p -> p.kind() == Problem.Kind.UNREADABLE);
    }
    problems.replaceAll(inspection.secrets()::blot);
    problems.addAll(inspection.problems());
    return new Inspection(
        inspection.merged(),
        inspection.defaults(),
        inspection.secrets(),
        inspection.config(),
        inspection.found(),
        inspection.discovered(),
        problems,
        inspection.notes());
  }

  /** Where plug-ins are; to be known before anything else is. */
  public static PluginsConfig plugins(ConfigLayers layers) {
    var problems = new ArrayList<Problem>();
    var plugins = plugins(layers, problems);
    if (plugins.isEmpty()) {
      throw new InvalidConfigurationException(problems);
    }
    return plugins.get();
  }

  private static Loaded told(Loaded loaded) {
    loaded.notes().forEach(LOG::info);
    return loaded;
  }

  private static Discovered found(ConfigLayers layers, Given given, List<Problem> problems) {
    var plugins = plugins(layers, problems);
    var nativeAccess = plugins.map(PluginsConfig::nativeAccess).orElse(Set.of());
    var limit = plugins.map(PluginsConfig::loadTimeout).orElse(Discovery.LOAD_TIMEOUT);
    var exclude = plugins.map(PluginsConfig::exclude).orElse(Set.of());
    try {
      return Discovery.find(
          plugins.flatMap(PluginsConfig::directory), nativeAccess, given, limit, exclude);
    } catch (ShuntException e) {
      if (e.code() != FailureCode.CONFIGURATION) {
        throw e;
      }
      problems.add(new Problem(Problem.Kind.OUT_OF_RANGE, "", "shunt.plugins.dir", e.getMessage()));
      return Discovery.find(Optional.empty(), nativeAccess, given, limit, exclude);
    }
  }

  private static Optional<PluginsConfig> plugins(ConfigLayers layers, List<Problem> problems) {
    var defaults = Reference.ofRuntime();
    try {
      var whole = layers.flattened(defaults).withFallback(defaults);
      var unbounded = Expansion.problem(whole);
      if (unbounded.isPresent()) {
        problems.add(unbounded.get());
        return Optional.empty();
      }
      Config config =
          whole.resolve(
              com.typesafe.config.ConfigResolveOptions.defaults().setAllowUnresolved(true));
      return Optional.of(PluginsConfig.of(new Values(config)));
    } catch (ConfigException e) {
      problems.add(Resolution.unresolved("shunt.plugins", e));
      return Optional.empty();
    } catch (StackOverflowError e) {
      problems.add(Resolution.endless(layers.user()));
      return Optional.empty();
    }
  }
}

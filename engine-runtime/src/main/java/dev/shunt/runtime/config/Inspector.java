package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.runtime.discovery.Asked;
import dev.shunt.runtime.discovery.Discovered;
import dev.shunt.runtime.discovery.Discovery;
import dev.shunt.runtime.discovery.Found;
import dev.shunt.runtime.discovery.Kind;
import dev.shunt.runtime.discovery.Plugin;
import dev.shunt.runtime.discovery.Remedies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds one configuration against the plug-ins that there are. What is wrong is put in order by its
 * default and the rest checked on, so that one look tells all of it.
 */
final class Inspector {
  private static final Logger LOG = LoggerFactory.getLogger(Inspector.class);

  /** A bound for a provider that complains of whatever it is given. */
  private static final int MOST_OF_ONE = 64;

  /**
   * A plug-in that is asked to check its configuration.
   *
   * @param complaints what it said so far
   */
  private record Checking(Found<?> plugin, Asked<Void> asked, Queue<Problem> complaints) {
    static Checking begin(Found<?> plugin, Config merged, Inspector inspector) {
      var complaints = new ConcurrentLinkedQueue<Problem>();
      var asked = plugin.asked(() -> inspector.check(plugin, merged, complaints), _ -> {});
      return new Checking(plugin, asked, complaints);
    }
  }

  private final ConfigLayers layers;
  private final Discovered found;
  private final Config defaults;
  private final List<Problem> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private Secrets secrets;
  private OwnNode node;
  private int more;

  Inspector(ConfigLayers layers, Discovered found) {
    this.layers = layers;
    this.found = found;
    this.defaults = Defaults.of(found).resolve();
    this.secrets = Secrets.of(defaults, defaults);
    this.node = new OwnNode(defaults);
  }

  Inspection inspect() {
    var known = Defaults.known(found);
    var resolution = Resolution.of(layers.flattened(defaults), defaults);
    problems.addAll(resolution.problems());
    secrets = Secrets.of(known, resolution.config());
    node = new OwnNode(resolution.config());
    var merged = strict(resolution.config(), known.getObject("shunt"));
    NodeSections.note(merged).ifPresent(notes::add);
    var discovered = validated(wanted(merged), merged);
    var config = config(merged, known, discovered);
    if (config.isPresent()) {
      discovered = checked(config.get(), discovered);
    }
    return new Inspection(
        merged,
        defaults,
        secrets,
        config,
        found,
        discovered,
        told(),
        node.notes(notes).stream().map(secrets::blot).toList());
  }

  private List<Problem> told() {
    var all = node.told(problems).stream().sorted(Problem.IN_ORDER).toList();
    return Problem.few(all, more).stream().map(secrets::blot).toList();
  }

  private Config strict(Config merged, ConfigObject known) {
    var strictness = new Strictness(known, this::mayHaveFailed);
    strictness.check(merged.getValue("shunt"));
    notes.addAll(strictness.notes());
    more = strictness.more();
    var seen = new HashSet<String>();
    problems.forEach(p -> seen.add(place(p)));
    var told = new LinkedHashMap<String, Problem>();
    for (var problem : strictness.problems()) {
      var place = place(problem);
      // The later of two is told at the node, with what would be right there.
      if (!seen.contains(place) && (node.holds(problem.path()) || !told.containsKey(place))) {
        told.put(place, problem);
      }
    }
    problems.addAll(told.values());
    return strictness.rest(merged).withFallback(defaults);
  }

  /** The same for what stands under {@code nodes} for this node, and where it counts. */
  private String place(Problem problem) {
    return problem.where() + "\n" + node.shared(problem.path());
  }

  private boolean mayHaveFailed(String section) {
    var kind = section.equals("shunt.transports") ? Kind.TRANSPORT : Kind.METADATA;
    return found.failed().stream().anyMatch(p -> p.kind().isEmpty() || p.kind().get() == kind);
  }

  private Discovered wanted(Config merged) {
    var left = found;
    var exclude = new Values(merged).texts("plugins.exclude");
    for (var plugin : found.active()) {
      if (exclude.contains(plugin.id())) {
        left = left.without(plugin, Plugin.State.EXCLUDED, Discovery.EXCLUDED);
      }
    }
    notes.addAll(Exclusion.notes(exclude, found));
    for (Found<TransportProvider> transport : found.transports()) {
      if (!merged.getBoolean(transport.section() + ".enable")) {
        left =
            left.without(transport, Plugin.State.DISABLED, transport.section() + ".enable = false");
      }
    }
    return left;
  }

  /** All are asked at the same time, so that those that hang hold up the others once. */
  private Discovered validated(Discovered wanted, Config merged) {
    var limit = PluginsConfig.loadTimeout(new Values(merged));
    var left = wanted;
    var all = wanted.active().stream().map(plugin -> Checking.begin(plugin, merged, this)).toList();
    for (var each : all) {
      var plugin = each.plugin();
      var thrown = each.asked().within(limit).thrown();
      problems.addAll(each.complaints());
      if (thrown != null) {
        var cause = "it could not check its configuration: " + secrets.blot(Remedies.text(thrown));
        left = left.without(plugin, Plugin.State.FAILED, cause);
        LOG.warn("{} {} of {}: {}", plugin.kind().label(), plugin.id(), plugin.origin(), cause);
      }
    }
    return left;
  }

  /** A provider tells its first complaint only, so it is asked again with that one put right. */
  private Void check(Found<?> plugin, Config merged, Queue<Problem> complaints) {
    var own = section(merged, plugin);
    var told = new HashSet<String>();
    for (int i = 0; i < MOST_OF_ONE; i++) {
      try {
        plugin.provider().validate(own);
        return null;
      } catch (ConfigException e) {
        var first = Resolution.problem(Problem.Kind.OUT_OF_RANGE, plugin.section(), e);
        boolean isNew = told.add(first.path());
        if (isNew) {
          complaints.add(first);
        }
        var problem =
            new Blame(own.atPath(plugin.section()), defaults)
                .of(first, left -> complains(plugin, left, first));
        // One that hangs meanwhile has told the first.
        if (isNew && problem != first) {
          complaints.add(problem);
          complaints.remove(first);
        }
        var right = put(own, problem.path(), plugin);
        if (right.equals(own)) {
          return null;
        }
        own = right;
      }
    }
    return null;
  }

  private static boolean complains(Found<?> plugin, Config config, Problem of) {
    try {
      plugin.provider().validate(section(config, plugin));
      return false;
    } catch (ConfigException e) {
      return Resolution.problem(Problem.Kind.OUT_OF_RANGE, plugin.section(), e)
          .path()
          .equals(of.path());
    }
  }

  private Config put(Config own, String path, Found<?> plugin) {
    try {
      var key = path.substring(Math.min(path.length(), plugin.section().length() + 1));
      return key.isEmpty() ? own : own.withoutPath(key).withFallback(section(defaults, plugin));
    } catch (ConfigException noPath) {
      return own;
    }
  }

  private static Config section(Config config, Found<?> plugin) {
    return config.hasPath(plugin.section())
        ? config.getConfig(plugin.section())
        : ConfigFactory.empty();
  }

  private Optional<EngineConfig> config(Config merged, Config known, Discovered discovered) {
    var used = inUse(merged, discovered);
    for (var problem : Reading.problems(used)) {
      problems.add(new Blame(used, defaults).of(problem, left -> Reading.complains(left, problem)));
    }
    problems.addAll(Reading.ofUnused(merged, known.resolve(), discovered));
    return Reading.config(used);
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

  private Discovered checked(EngineConfig config, Discovered discovered) {
    CapabilityCheck.check(config, discovered, problems);
    PreferCheck.check(config, found, problems);
    backend(config, discovered);
    var missing = discovered.missing(config.plugins().required());
    if (!missing.isEmpty()) {
      new Values(config.merged(), problems)
          .wrong("plugins.required", "is not met: " + String.join("; ", missing));
    }
    return backendOnly(discovered, config);
  }

  private void backend(EngineConfig config, Discovered discovered) {
    var type = config.metadata().type();
    if (discovered.metadata(type).isEmpty()) {
      var excluded = Exclusion.ofBackend(config.merged(), type, discovered);
      if (excluded.isPresent()) {
        problems.add(excluded.get());
        return;
      }
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

package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import dev.shunt.runtime.discovery.Discovered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All that is to be said of a configuration, right or wrong.
 *
 * @param merged all values, resolved; where one is wrong, its default
 * @param defaults what stands below all others
 * @param secrets which of them are not to be shown
 * @param config what an engine would read; empty where values of wrong types kept it from being
 *     read
 * @param found the plug-ins that there are, wanted or not
 * @param discovered its plug-ins; what configuration does not want is disabled
 * @param problems what is wrong, without secrets; of very many the first ones, and one of kind MORE
 * @param notes what is worth a line in a log, and no mistake
 */
public record Inspection(
    Config merged,
    Config defaults,
    Secrets secrets,
    Optional<EngineConfig> config,
    Discovered found,
    Discovered discovered,
    List<Problem> problems,
    List<String> notes) {
  /** Copies the lists. */
  public Inspection {
    problems = List.copyOf(problems);
    notes = List.copyOf(notes);
  }

  /** The same after plug-ins looked whether this machine lacks what they need; none is started. */
  public Inspection looked() {
    if (config.isEmpty()) {
      return this;
    }
    var plugins = config.get().plugins();
    var left = discovered.looked(plugins.loadTimeout());
    var told = new ArrayList<>(problems);
    var missing = left.missing(plugins.required());
    if (missing.size() > discovered.missing(plugins.required()).size()) {
      new Values(config.get().merged(), told)
          .wrong("plugins.required", "is not met: " + String.join("; ", missing));
    }
    return new Inspection(merged, defaults, secrets, config, found, left, told, notes);
  }

  /**
   * What an engine starts with.
   *
   * @throws InvalidConfigurationException if anything is wrong
   */
  public Loaded orThrow() {
    if (!problems.isEmpty() || config.isEmpty()) {
      throw new InvalidConfigurationException(problems);
    }
    return new Loaded(config.get(), discovered, notes);
  }
}

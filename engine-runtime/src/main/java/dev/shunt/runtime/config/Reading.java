package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.runtime.discovery.Discovered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what is merged, and gathers what is out of range in it. */
final class Reading {
  private Reading() {}

  /** Empty where values of wrong types keep it from being read. */
  static Optional<EngineConfig> config(Config merged) {
    try {
      return Optional.of(EngineConfig.read(merged, new ArrayList<>()));
    } catch (ConfigException told) {
      return Optional.empty();
    }
  }

  static List<Problem> problems(Config merged) {
    var problems = new ArrayList<Problem>();
    try {
      EngineConfig.read(merged, problems);
    } catch (ConfigException e) {
      problems.add(Values.unchecked(e));
    }
    return problems;
  }

  /** Whether something is still wrong where a problem was. */
  static boolean complains(Config merged, Problem of) {
    return isAmong(problems(merged), of);
  }

  /**
   * What is wrong in the sections of transports that are excluded, disabled or failed, as far as
   * the runtime knows what is right; such a plug-in itself is not asked.
   *
   * @param known defaults, those of unused plug-ins among them
   */
  static List<Problem> ofUnused(Config merged, Config known, Discovered discovered) {
    var all = merged.withFallback(known);
    var told = new ArrayList<Problem>();
    for (var id : known.getObject("shunt.transports").keySet()) {
      if (discovered.transport(id).isEmpty()) {
        for (var problem : ofTransport(all, id)) {
          told.add(
              new Blame(all, known).of(problem, left -> isAmong(ofTransport(left, id), problem)));
        }
      }
    }
    told.removeIf(problem -> new Blame(all, known).isOfDefaults(problem));
    return told;
  }

  private static List<Problem> ofTransport(Config config, String id) {
    var problems = new ArrayList<Problem>();
    try {
      TransportConfig.of(new Values(config, problems), id);
    } catch (ConfigException wrongDefault) {
      // The user's values are of the right types; and what nobody reads costs nobody anything.
      return List.of();
    }
    return problems;
  }

  private static boolean isAmong(List<Problem> problems, Problem problem) {
    return problems.stream().anyMatch(p -> p.path().equals(problem.path()));
  }
}

package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * What stands under {@code nodes} for this very node. It is laid over what all nodes share, so that
 * it is met twice: where it stands, which is what is told, and where it counts.
 */
final class OwnNode {
  private static final String ROOT = "shunt";

  private final Config all;
  private final Optional<String> section;

  /**
   * @param all resolved, nothing left out
   */
  OwnNode(Config all) {
    this.all = all;
    this.section =
        at(ROOT + ".name")
            .filter(name -> name.valueType() == ConfigValueType.STRING)
            .map(name -> Strictness.join(ROOT + ".nodes", (String) name.unwrapped()));
  }

  /** Whether a path leads to where something stands for this node. */
  boolean holds(String path) {
    return section.isPresent() && path.startsWith(section.get() + ".");
  }

  /** Where something counts. */
  String shared(String path) {
    return holds(path) ? ROOT + path.substring(section.get().length()) : path;
  }

  /** The problems at the paths where what is wrong stands, each once. */
  List<Problem> told(List<Problem> problems) {
    var known = new HashSet<String>();
    problems.forEach(p -> known.add(place(p.where(), p.path())));
    return problems.stream().map(p -> told(p, known)).distinct().toList();
  }

  private Problem told(Problem problem, HashSet<String> known) {
    if (section.isEmpty() || !problem.path().startsWith(ROOT + ".") || holds(problem.path())) {
      return problem;
    }
    var own = section.get() + problem.path().substring(ROOT.length());
    boolean here =
        known.contains(place(problem.where(), own))
            || at(own)
                .filter(value -> Problem.where(value.origin()).equals(problem.where()))
                .isPresent();
    return here ? new Problem(problem.kind(), problem.where(), own, problem.text()) : problem;
  }

  /** Without those that say the same of where something counts. */
  List<String> notes(List<String> notes) {
    if (section.isEmpty()) {
      return notes;
    }
    var twins = new HashSet<String>();
    for (var note : notes) {
      var shared = note.replace(": " + section.get() + ".", ": " + ROOT + ".");
      if (!shared.equals(note)) {
        twins.add(shared);
      }
    }
    return notes.stream().filter(note -> !twins.contains(note)).toList();
  }

  private static String place(String where, String path) {
    return where + "\n" + path;
  }

  private Optional<ConfigValue> at(String path) {
    try {
      return all.hasPath(path) ? Optional.of(all.getValue(path)) : Optional.empty();
    } catch (ConfigException noPath) {
      return Optional.empty();
    }
  }
}

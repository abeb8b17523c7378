package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Holds what stands under {@code shunt} against the schema: keys, types, units. */
final class Strictness {
  private static final String ROOT = "shunt";
  private static final String NODES = "nodes";

  /** More than are told, so that the first in the file are among them. */
  private static final int MOST_PROBLEMS = 500;

  private static final int MOST_NOTES = 50;

  private final Schema.Section root;
  private final Predicate<String> mayBelongToFailed;
  private final Map<String, List<String>> places = new TreeMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private final Set<String> wrongAt = new HashSet<>();
  private final List<String> notes = new ArrayList<>();
  private int more;

  /**
   * @param defaults what stands under {@code shunt} in the modules' defaults
   * @param mayBelongToFailed whether a plug-in whose section would stand in a given one could not
   *     even say its id
   */
  Strictness(ConfigObject defaults, Predicate<String> mayBelongToFailed) {
    this.mayBelongToFailed = mayBelongToFailed;
    var keys = new TreeMap<>(((Schema.Section) Schema.of(defaults)).keys());
    // Without any plug-in the section is empty, and yet not free; nor is that of a plug-in that has
    // nothing to configure.
    keys.replaceAll(
        (key, schema) -> OwnPlugins.holdPlugins(ROOT + "." + key) ? ofPlugins(schema) : schema);
    this.root = new Schema.Section(keys);
    note(root, ROOT);
  }

  private static Schema ofPlugins(Schema schema) {
    var keys = new TreeMap<String, Schema>();
    if (schema instanceof Schema.Section section) {
      section
          .keys()
          .forEach(
              (key, inner) ->
                  keys.put(
                      key, inner instanceof Schema.Free ? new Schema.Section(Map.of()) : inner));
    }
    return new Schema.Section(keys);
  }

  private void note(Schema.Section section, String path) {
    section
        .keys()
        .forEach(
            (key, schema) -> {
              var at = join(path, key);
              places.computeIfAbsent(key, k -> new ArrayList<>()).add(at);
              if (schema instanceof Schema.Section inner) {
                note(inner, at);
              }
            });
  }

  private void note(String text) {
    if (notes.size() < MOST_NOTES) {
      notes.add(text);
    } else if (notes.size() == MOST_NOTES) {
      notes.add("there are more such notes; they are left out");
    }
  }

  void check(ConfigValue shunt) {
    if (shunt instanceof ConfigObject object) {
      section(object, root, ROOT, ROOT);
    } else {
      wrong(ROOT, () -> notASection(shunt, ROOT));
    }
  }

  /** A reason costs a search for what was meant, so that very many are only counted. */
  private void wrong(String path, Supplier<Problem> problem) {
    wrongAt.add(path);
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(problem.get());
    } else {
      more++;
    }
  }

  List<Problem> problems() {
    return problems;
  }

  /** How many there are besides. */
  int more() {
    return more;
  }

  /** All values without those that are wrong. */
  Config rest(Config merged) {
    if (wrongAt.isEmpty()) {
      return merged;
    }
    return wrongAt.contains(ROOT)
        ? merged.withoutPath(ROOT)
        : merged.withValue(ROOT, rest(merged.getObject(ROOT), ROOT));
  }

  private ConfigObject rest(ConfigObject object, String path) {
    var left = new HashMap<String, ConfigValue>();
    object.forEach(
        (key, value) -> {
          var at = join(path, key);
          if (!wrongAt.contains(at)) {
            left.put(key, value instanceof ConfigObject inner ? rest(inner, at) : value);
          }
        });
    return ConfigValueFactory.fromMap(left).withOrigin(object.origin());
  }

  /** What is worth a line, and no mistake. */
  List<String> notes() {
    return notes;
  }

  /**
   * @param path as it is shown
   * @param home the same for whatever node it is meant
   */
  private void section(ConfigObject object, Schema.Section schema, String path, String home) {
    for (var entry : new TreeMap<>(object).entrySet()) {
      var key = entry.getKey();
      var value = entry.getValue();
      var at = join(path, key);
      switch (schema.keys().get(key)) {
        case null -> unknown(key, value, schema, path, home);
        case Schema.Section inner when value instanceof ConfigObject o ->
            section(o, inner, at, join(home, key));
        case Schema.Free free when value instanceof ConfigObject o -> {
          if (at.equals(ROOT + "." + NODES)) {
            nodes(o, at);
          }
        }
        case Schema.Leaf leaf -> leaf(value, leaf, at);
        case Schema.Section s -> wrong(at, () -> notASection(value, at));
        case Schema.Free f -> wrong(at, () -> notASection(value, at));
      }
    }
  }

  private void nodes(ConfigObject nodes, String path) {
    var keys = new TreeMap<>(root.keys());
    keys.remove(NODES);
    var one = new Schema.Section(keys);
    for (var node : new TreeMap<>(nodes).entrySet()) {
      var at = join(path, node.getKey());
      if (node.getValue() instanceof ConfigObject object) {
        section(object, one, at, ROOT);
      } else {
        wrong(at, () -> notASection(node.getValue(), at));
      }
    }
  }

  private void leaf(ConfigValue value, Schema.Leaf leaf, String path) {
    var wrong = leaf.type().check(value);
    if (wrong.isPresent()) {
      wrong(
          path.replaceFirst("\\[\\d+]$", ""),
          () -> Problem.at(value.origin(), wrong.get().kind(), path, wrong.get().text()));
    } else if (value instanceof ConfigList list && leaf.elements() != ValueType.ANY) {
      for (int i = 0; i < list.size(); i++) {
        leaf(list.get(i), new Schema.Leaf(leaf.elements(), ValueType.ANY), path + "[" + i + "]");
      }
    }
  }

  private static Problem notASection(ConfigValue value, String path) {
    return Problem.at(
        origin(value),
        Problem.Kind.WRONG_TYPE,
        path,
        (value instanceof ConfigList ? "a list" : "'" + value.unwrapped() + "'")
            + " is not a section, such as { key = value }");
  }

  private void unknown(
      String key, ConfigValue value, Schema.Section schema, String path, String home) {
    var at = join(path, key);
    var origin = origin(value);
    if (OwnPlugins.isSection(home, key)) {
      note(Problem.where(origin) + ": " + at + " is for a plug-in that is not here; not read");
      return;
    }
    if (OwnPlugins.holdPlugins(home)
        && value instanceof ConfigObject
        && mayBelongToFailed.test(home)
        && Nearest.to(key, schema.keys().keySet()).isEmpty()) {
      note(Problem.where(origin) + ": " + at + " may be for a plug-in that failed; it is not read");
      return;
    }
    boolean plugin = OwnPlugins.holdPlugins(home) && value instanceof ConfigObject;
    wrong(
        at,
        () ->
            plugin
                ? unknownPlugin(key, origin, schema, path)
                : unknownKey(key, origin, schema, path));
  }

  private Problem unknownPlugin(
      String key, ConfigOrigin origin, Schema.Section schema, String path) {
    var sibling = Nearest.to(key, schema.keys().keySet());
    return Problem.at(
        origin,
        Problem.Kind.UNKNOWN_PLUGIN,
        join(path, key),
        "there is no plug-in of that id"
            + meant(sibling.map(s -> join(path, s)))
            + "; there are "
            + sections(schema));
  }

  private Problem unknownKey(String key, ConfigOrigin origin, Schema.Section schema, String path) {
    var at = join(path, key);
    var sibling = Nearest.to(key, schema.keys().keySet());
    var elsewhere = places.getOrDefault(key, List.of());
    if (!elsewhere.isEmpty() && sibling.filter(s -> Nearest.distance(s, key) < 2).isEmpty()) {
      return Problem.at(
          origin,
          Problem.Kind.WRONG_SECTION,
          at,
          "there is no such key in this section; " + key + " stands at " + Names.few(elsewhere));
    }
    var near = sibling.map(s -> join(path, s)).or(() -> anywhere(key));
    return Problem.at(
        origin,
        Problem.Kind.UNKNOWN_KEY,
        at,
        "unknown key"
            + (near.isPresent()
                ? meant(near)
                : "; " + path + " has " + Names.few(schema.keys().keySet())));
  }

  /** A section that was made for a single value has that value's origin. */
  private static ConfigOrigin origin(ConfigValue value) {
    return value instanceof ConfigObject object
            && !object.isEmpty()
            && object.origin().description().startsWith("withValue(")
        ? origin(object.values().iterator().next())
        : value.origin();
  }

  private Optional<String> anywhere(String key) {
    return Nearest.to(key, places.keySet()).map(name -> places.get(name).getFirst());
  }

  private static List<String> sections(Schema.Section schema) {
    return schema.keys().entrySet().stream()
        .filter(e -> !(e.getValue() instanceof Schema.Leaf))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static String meant(Optional<String> path) {
    return path.map(p -> "; did you mean " + p + "?").orElse("");
  }

  static String join(String path, String key) {
    return path + "." + (key.matches("[A-Za-z0-9_-]+") ? key : ConfigUtil.quoteString(key));
  }
}

package dev.shunt.cli;

import dev.shunt.runtime.json.JsonReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An object of a JSON text, whose keys may be more or fewer than its reader knows: a node may be
 * older or newer than the command that asks it.
 */
record Tree(Map<?, ?> keys) {
  private static final int MOST_ELEMENTS = 1 << 20;

  static Tree read(String what, byte[] text) {
    return JsonReader.read(
        what, text, Math.max(text.length, 1), json -> of(json.value(MOST_ELEMENTS)));
  }

  private static Tree of(Object value) {
    return new Tree(value instanceof Map<?, ?> map ? map : Map.of());
  }

  /** A text, or a number as one; empty if it is not there. */
  String text(String key) {
    return optional(key).orElse("");
  }

  Optional<String> optional(String key) {
    var value = keys.get(key);
    return value instanceof String || value instanceof Number || value instanceof Boolean
        ? Optional.of(value.toString())
        : Optional.empty();
  }

  /** A whole number; 0 if it is not there. */
  long number(String key) {
    return keys.get(key) instanceof Number number ? number.longValue() : 0;
  }

  /** An object; one without keys if it is not there. */
  Tree object(String key) {
    return of(keys.get(key));
  }

  /** The objects of a list. */
  List<Tree> objects(String key) {
    return list(key).stream().map(Tree::of).toList();
  }

  /** The texts of a list. */
  List<String> texts(String key) {
    return list(key).stream().map(Object::toString).toList();
  }

  private List<?> list(String key) {
    return keys.get(key) instanceof List<?> list ? list : List.of();
  }
}

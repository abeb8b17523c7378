package dev.shunt.runtime.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which keys there are and what each holds, read off the modules' defaults. A section that is empty
 * there is free: its keys are the user's.
 */
sealed interface Schema {
  /** Keys that are known. */
  record Section(Map<String, Schema> keys) implements Schema {}

  /** Keys that are the user's. */
  record Free() implements Schema {}

  /** A value; {@code elements} counts where it is a list. */
  record Leaf(ValueType type, ValueType elements) implements Schema {}

  static Schema of(ConfigValue value) {
    return switch (value) {
      case ConfigObject object when object.isEmpty() -> new Free();
      case ConfigObject object -> {
        var keys = new TreeMap<String, Schema>();
        object.forEach((key, inner) -> keys.put(key, of(inner)));
        yield new Section(keys);
      }
      case ConfigList list -> new Leaf(ValueType.LIST, elements(list));
      default -> new Leaf(ValueType.of(value), ValueType.ANY);
    };
  }

  private static ValueType elements(ConfigList list) {
    // A text among the defaults says little: entries may have more than one form.
    var types = list.stream().map(ValueType::of).distinct().toList();
    return types.size() == 1 && types.getFirst() != ValueType.TEXT
        ? types.getFirst()
        : ValueType.ANY;
  }
}

package dev.shunt.runtime.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.Map;
import java.util.TreeMap;

/**
 * What configuration wants of a capability.
 *
 * @param use whether it is offered, and insisted on
 * @param highest the highest version to offer; {@link Integer#MAX_VALUE} for the highest there is
 */
public record CapabilityUse(Use use, int highest) {
  /** What is not named. */
  public static final CapabilityUse DEFAULT = new CapabilityUse(Use.ON, Integer.MAX_VALUE);

  private static final String CHOICES = "; right is off, on or required";

  /** Whether a capability is offered. */
  public enum Use {
    /** It is not offered. */
    OFF,
    /** It is offered, and used with those that offer it too. */
    ON,
    /** A peer without it is refused. */
    REQUIRED
  }

  /** All that are named, by id. */
  static Map<String, CapabilityUse> all(Values values) {
    var uses = new TreeMap<String, CapabilityUse>();
    gather(values.root().getObject("shunt.capabilities"), "", values, uses);
    return uses;
  }

  private static void gather(
      ConfigObject object, String prefix, Values values, Map<String, CapabilityUse> uses) {
    for (var entry : object.entrySet()) {
      // tcp.stream = on and "tcp.stream" = on are the same, though HOCON nests the one.
      var id = prefix.isEmpty() ? entry.getKey() : prefix + "." + entry.getKey();
      if (entry.getValue() instanceof ConfigObject inner
          && !inner.containsKey("use")
          && !inner.containsKey("highest")) {
        gather(inner, id, values, uses);
      } else {
        uses.put(id, one(id, entry.getValue(), values));
      }
    }
  }

  private static CapabilityUse one(String id, ConfigValue value, Values values) {
    if (!(value instanceof ConfigObject section)) {
      return new CapabilityUse(use(id, value, values), Integer.MAX_VALUE);
    }
    for (var key : new TreeMap<>(section).keySet()) {
      if (!key.equals("use") && !key.equals("highest")) {
        wrong(id, section.get(key), values, key + " is unknown here; there are use and highest");
      }
    }
    var use = section.containsKey("use") ? use(id, section.get("use"), values) : Use.ON;
    return new CapabilityUse(use, highest(id, section.get("highest"), values));
  }

  private static Use use(String id, ConfigValue value, Values values) {
    return switch (String.valueOf(value.unwrapped())) {
      case "off", "false" -> Use.OFF;
      case "on", "true" -> Use.ON;
      case "required" -> Use.REQUIRED;
      case String other -> {
        wrong(id, value, values, "'" + other + "' is none of the choices" + CHOICES);
        yield Use.ON;
      }
    };
  }

  private static int highest(String id, ConfigValue value, Values values) {
    if (value == null) {
      return Integer.MAX_VALUE;
    }
    if (value.valueType() == ConfigValueType.NUMBER
        && value.unwrapped() instanceof Integer version
        && version >= 1) {
      return version;
    }
    wrong(
        id, value, values, "highest = " + value.unwrapped() + " is no version; right is 1 or more");
    return 1;
  }

  private static void wrong(String id, ConfigValue value, Values values, String text) {
    values.wrong(value.origin(), "capabilities." + id, text);
  }
}

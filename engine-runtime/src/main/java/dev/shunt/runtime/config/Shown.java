package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;

/**
 * A value as it may be shown.
 *
 * @param path from the root
 * @param value in HOCON, on one line; a secret is blotted out
 * @param plain the same for programs: text, number, truth, list or map
 * @param origin file and line, or what else gave it
 * @param isDefault whether it is the default, untouched
 * @param secret whether it is blotted out
 */
public record Shown(
    String path, String value, Object plain, String origin, boolean isDefault, boolean secret) {
  private static final ConfigRenderOptions ONE_LINE =
      ConfigRenderOptions.concise().setJson(false).setFormatted(false);

  /** All that stands under {@code shunt}, in the order of the paths. */
  public static List<Shown> all(Inspection inspection) {
    var all = new ArrayList<Shown>();
    gather(inspection.merged().getObject("shunt"), List.of("shunt"), inspection, all);
    return all;
  }

  private static void gather(
      ConfigObject object, List<String> path, Inspection inspection, List<Shown> all) {
    for (var entry : new TreeMap<>(object).entrySet()) {
      var at = Secrets.with(path, entry.getKey());
      if (entry.getValue() instanceof ConfigObject inner && !isFreeKey(inner)) {
        gather(inner, at, inspection, all);
      } else {
        all.add(one(entry.getValue(), at, inspection));
      }
    }
  }

  /** Keys that are the user's, of which there are none; not a plug-in without any defaults. */
  private static boolean isFreeKey(ConfigObject object) {
    return object.isEmpty() && object.origin().lineNumber() > 0;
  }

  private static Shown one(ConfigValue value, List<String> path, Inspection inspection) {
    var secrets = inspection.secrets();
    boolean secret = secrets.holds(path);
    var shown = ConfigValueFactory.fromAnyRef(plain(value, path, secrets));
    var at = ConfigUtil.joinPath(path);
    return new Shown(
        at,
        shown.render(ONE_LINE),
        shown.unwrapped(),
        secrets.blot(Problem.where(value.origin())),
        isDefault(value, at, inspection.defaults()),
        secret);
  }

  private static Object plain(ConfigValue value, List<String> path, Secrets secrets) {
    return switch (value) {
      case ConfigObject object -> {
        var map = new LinkedHashMap<String, Object>();
        new TreeMap<>(object)
            .forEach((key, inner) -> map.put(key, plain(inner, Secrets.with(path, key), secrets)));
        yield map;
      }
      case ConfigList list -> list.stream().map(inner -> plain(inner, path, secrets)).toList();
      default -> {
        if (secrets.holds(path)) {
          yield Secrets.BLOT;
        }
        yield value.unwrapped() instanceof String text ? secrets.blot(text) : value.unwrapped();
      }
    };
  }

  private static boolean isDefault(ConfigValue value, String path, Config defaults) {
    return defaults.hasPath(path)
        && defaults.getValue(path).origin().description().equals(value.origin().description());
  }
}

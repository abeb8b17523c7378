package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValueFactory;
import dev.shunt.runtime.discovery.Discovered;
import dev.shunt.runtime.discovery.Discovery;
import dev.shunt.runtime.discovery.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** What holds of every key of every {@code reference.conf}. */
class EveryKeyTest {
  /** The user's own keys: read, if at all, by name. */
  private static final List<String> FREE = List.of("shunt.capabilities", "shunt.nodes");

  private final Discovered discovered = Discovery.find(Optional.empty(), Set.of(), Given.NONE);
  private final Config defaults = Defaults.of(discovered).resolve();

  @Test
  void eachIsReadBySomebody() {
    var keys = new ReadKeys();
    var watched = keys.watching(defaults);
    EngineConfig.read(watched, new ArrayList<>());
    for (var plugin : discovered.active()) {
      if (defaults.hasPath(plugin.section())) {
        plugin.provider().validate(watched.getConfig(plugin.section()));
      }
    }
    var dead = new ArrayList<String>();
    eachLeaf(
        (path, _) -> {
          if (!keys.has(path)) {
            dead.add(path);
          }
        });
    assertEquals(List.of(), dead, "keys that nobody reads");
  }

  @Test
  void aNumberOrASizeThatIsAbsurdIsRefused() {
    var taken = new ArrayList<String>();
    eachLeaf(
        (path, type) -> {
          var absurd =
              switch (type) {
                case INTEGER -> List.<Object>of(Long.MAX_VALUE, -2);
                case DECIMAL -> List.<Object>of(1e300, -2);
                case SIZE -> List.<Object>of(Long.MAX_VALUE + "B");
                case DURATION -> List.<Object>of("36501d", "-1s");
                case FLAG, TEXT, LIST, ANY -> List.of();
              };
          for (var value : absurd) {
            if (problems(path, value).isEmpty()) {
              taken.add(path + " = " + value);
            }
          }
        });
    assertEquals(List.of(), taken);
  }

  @Test
  void anotherTypeThanThatOfTheDefaultIsRefused() {
    eachLeaf(
        (path, type) -> {
          Object other =
              switch (type) {
                case INTEGER, DECIMAL, SIZE, DURATION, FLAG, LIST -> "nonsense";
                case TEXT, ANY -> Map.of("a", 1);
              };
          if (type != ValueType.ANY) {
            assertFalse(problems(path, other).isEmpty(), path);
          }
        });
  }

  private List<Problem> problems(String path, Object value) {
    var user =
        ConfigFactory.empty().withValue(path, ConfigValueFactory.fromAnyRef(value, "a test"));
    return new Inspector(ConfigLayers.of(user), discovered).inspect().problems();
  }

  private void eachLeaf(BiConsumer<String, ValueType> visitor) {
    eachLeaf(defaults.getObject("shunt"), "shunt", visitor);
  }

  private static void eachLeaf(
      ConfigObject object, String prefix, BiConsumer<String, ValueType> visitor) {
    new TreeMap<>(object)
        .forEach(
            (key, value) -> {
              var path = prefix + "." + key;
              if (FREE.contains(path)) {
                return;
              }
              if (value instanceof ConfigObject inner) {
                eachLeaf(inner, path, visitor);
              } else {
                visitor.accept(path, ValueType.of(value));
              }
            });
  }
}

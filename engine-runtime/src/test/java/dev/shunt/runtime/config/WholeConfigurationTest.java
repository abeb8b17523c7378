package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import dev.shunt.runtime.discovery.Discovery;
import dev.shunt.runtime.discovery.Given;
import dev.shunt.runtime.discovery.Plugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With our own plug-ins, as they are. */
class WholeConfigurationTest {
  private final Loaded loaded =
      ConfigLoader.load(ConfigLayers.of(ConfigFactory.empty()), Given.NONE);

  @Test
  void ourPluginsAreFoundAndTheirDefaultsAreRight() {
    assertEquals(List.of(), loaded.discovered().failed());
    assertEquals(List.of(), loaded.notes());
    assertTrue(loaded.discovered().failover().isPresent());
    assertEquals("p2p", loaded.discovered().metadata().getFirst().id());
    assertEquals(9, loaded.config().failover().getInt("max-attempts"));
  }

  @Test
  void eachKeyOfOurPluginsHasAComment() {
    var discovered = Discovery.find(Optional.empty(), Set.of(), Given.NONE);
    for (var found : discovered.active()) {
      if (found.defaults().hasPath(found.section())) {
        commented(found.defaults().getObject(found.section()), found.section());
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          shunt.transports.tcp.rail-coldown = 5s | did you mean shunt.transports.tcp.rail-cooldown?
          shunt.failover.max-atempts = 5         | did you mean shunt.failover.max-attempts?
          shunt.failover.rail-cooldown = 5s      | rail-cooldown stands at shunt.transports.
          shunt.failover.retry-delay = 5         | right would be 5s or 5ms
          shunt.failover.max-attempts = 0        | right is 1 to 1000
          shunt.transports.acme.lanes = 1        | there is no plug-in of that id
          """)
  void aTypoInAFileIsRefusedWithFileLineAndTheNearestKey(
      String line, String text, @TempDir Path directory) throws IOException {
    var file = directory.resolve("cluster.conf");
    Files.writeString(file, "# A cluster.\n\n" + line + "\n");
    var refused =
        assertThrows(
            InvalidConfigurationException.class,
            () ->
                ConfigLoader.load(
                    ConfigLayers.of(ConfigFactory.parseFile(file.toFile())), loaded.discovered()));
    assertEquals(1, refused.problems().size(), refused::getMessage);
    assertEquals(file + ":3", refused.problems().getFirst().where());
    assertTrue(refused.getMessage().contains(text), refused::getMessage);
  }

  @Test
  void allThatAPluginComplainsOfIsToldAtOnce() {
    var text = "shunt.transports.tcp { depth = 5000, max-handshakes = 0, copy-limit = 1GiB }";
    var refused =
        assertThrows(
            InvalidConfigurationException.class,
            () ->
                ConfigLoader.load(
                    ConfigLayers.of(ConfigFactory.parseString(text)), loaded.discovered()));
    assertEquals(3, refused.problems().size(), refused::getMessage);
  }

  @Test
  void ourPolicyCanBeKeptOutAndItsSectionStaysKnown() {
    var text = "shunt { plugins.exclude = [failover], failover.max-attempts = 3 }";
    var left = ConfigLoader.load(ConfigLayers.of(ConfigFactory.parseString(text)), Given.NONE);
    assertEquals(List.of(), left.notes());
    assertTrue(left.discovered().failover().isEmpty());
    assertEquals(
        List.of(Plugin.State.EXCLUDED),
        left.discovered().plugins().stream()
            .filter(plugin -> plugin.id().equals("failover"))
            .map(Plugin::state)
            .toList());
  }

  @Test
  void eachTransportsOwnDefaultsHaveItsTopologyAndItIsShown() {
    var transports = loaded.discovered().transports();
    assertFalse(transports.isEmpty());
    var shown = new HashMap<String, Shown>();
    Shown.all(ConfigLoader.inspect(ConfigLayers.of(ConfigFactory.empty()), Given.NONE))
        .forEach(value -> shown.put(value.path(), value));
    for (var found : transports) {
      assertTrue(
          found.defaults().getObject(found.section()).containsKey("topology"), found.section());
      assertTrue(shown.get(found.section() + ".topology").isDefault(), shown::toString);
      assertEquals("{}", shown.get(found.section() + ".topology").value());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "failovr | ; did you mean failover?",
        "etcd    | , and there is no such plug-in here",
        "acme    | , and there is no such plug-in here"
      })
  void whatIsExcludedAndNotHereIsANoteThatTellsTheNearest(String id, String end) {
    var text = "shunt.plugins.exclude = [" + id + "]";
    var loaded = ConfigLoader.load(ConfigLayers.of(ConfigFactory.parseString(text)), Given.NONE);
    assertEquals(1, loaded.notes().size(), loaded.notes()::toString);
    assertTrue(loaded.notes().getFirst().endsWith(end), loaded.notes()::toString);
  }

  @Test
  void aBackendThatIsKeptOutIsToldWhereThatIsSaid(@TempDir Path directory) throws IOException {
    var file = directory.resolve("cluster.conf");
    Files.writeString(file, "# A cluster.\n\nshunt.plugins.exclude = [\n  failover\n  p2p\n]\n");
    var layers = ConfigLayers.of(ConfigFactory.parseFile(file.toFile()));
    var refused =
        assertThrows(
            InvalidConfigurationException.class, () -> ConfigLoader.load(layers, Given.NONE));
    assertEquals(1, refused.problems().size(), refused::getMessage);
    var problem = refused.problems().getFirst();
    assertEquals(file + ":5", problem.where());
    assertEquals("shunt.plugins.exclude", problem.path());
    assertTrue(problem.text().contains("keeps out the metadata plug-in p2p"), problem::text);
    assertTrue(problem.text().contains("shunt.metadata.type = p2p"), problem::text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          peer-health.max-cooldown = 4s    | shunt.peer-health.max-cooldown | right is 5000ms to
          peer-health.cooldown = 0s        | shunt.peer-health.cooldown     | right is 1ms to
          peer-health.max-age = 59s        | shunt.peer-health.max-age      | right is 60000ms to
          peer-health.probe-interval = 0s  | shunt.peer-health.probe-inter  | right is 1ms to
          control.echo-interval = 1ns      | shunt.control.echo-interval    | right is 0, for never, or 10ms
          failover.max-recovery-delay = 1s | shunt.failover.max-recovery-de | right is 30000ms to
          """)
  void whatIsSetOfPeersAndRailsHasToFitTogether(String line, String key, String right) {
    var layers = ConfigLayers.of(ConfigFactory.parseString("shunt." + line));
    var refused =
        assertThrows(
            InvalidConfigurationException.class,
            () -> ConfigLoader.load(layers, loaded.discovered()));
    assertEquals(1, refused.problems().size(), refused::getMessage);
    assertTrue(refused.getMessage().contains(key), refused::getMessage);
    assertTrue(refused.getMessage().contains(right), refused::getMessage);
  }

  @Test
  void aPluginsStateIsTold() {
    for (var plugin : loaded.discovered().plugins()) {
      var wanted = plugin.cause().isEmpty() ? Plugin.State.ACTIVE : Plugin.State.DISABLED;
      assertEquals(wanted, plugin.state(), plugin::describe);
      assertFalse(plugin.origin().location().isEmpty(), plugin::describe);
    }
  }

  private static void commented(ConfigObject object, String path) {
    object.forEach(
        (key, value) -> {
          assertFalse(value.origin().comments().isEmpty(), () -> path + "." + key);
          if (value instanceof ConfigObject inner) {
            commented(inner, path + "." + key);
          }
        });
  }
}

package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import dev.shunt.runtime.discovery.Discovery;
import dev.shunt.runtime.discovery.Given;
import dev.shunt.runtime.discovery.Plugin;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
    var discovered = Discovery.find(Optional.empty(), Given.NONE);
    for (var found : discovered.active()) {
      if (found.defaults().hasPath(found.section())) {
        commented(found.defaults().getObject(found.section()), found.section());
      }
    }
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

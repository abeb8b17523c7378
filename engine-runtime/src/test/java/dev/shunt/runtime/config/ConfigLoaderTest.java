package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import dev.shunt.api.ShuntException;
import dev.shunt.runtime.config.CapabilityUse.Use;
import dev.shunt.runtime.discovery.Plugin;
import dev.shunt.runtime.discovery.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigLoaderTest {
  @Test
  void theDefaultsAloneAreAWholeConfiguration() {
    var config = Fixture.load("").config();
    assertEquals("", config.name());
    assertEquals(Duration.ofSeconds(30), config.transfer().deadline());
    assertEquals(Duration.ofSeconds(2), config.rpc().probeTimeout());
    assertEquals("p2p", config.metadata().type());
    assertEquals(9, config.failover().getInt("max-attempts"));
    assertTrue(config.control().extension());
    var tcp = config.transports().get("tcp");
    assertEquals(1, tcp.lanes());
    assertEquals(256, tcp.section().getInt("depth"));
    assertEquals(3, config.rails().get("tcp").getInt("rail-error-threshold"));
  }

  @Test
  void codeWinsOverTheNodesOwnWinsOverTheFileWinsOverDefaults() {
    var text =
        """
        shunt {
          name = n1
          rpc { request-timeout = 1s, notify-timeout = 1s, connect-timeout = 1s }
          nodes.n1.rpc { notify-timeout = 2s, connect-timeout = 2s }
          nodes.n2.rpc { request-timeout = 9s }
        }
        """;
    var rpc =
        Fixture.loadWith(Map.of("rpc.connect-timeout", Duration.ofSeconds(3)), text).config().rpc();
    assertEquals(
        List.of(1L, 2L, 3L, 30L),
        List.of(
            rpc.requestTimeout().toSeconds(),
            rpc.notifyTimeout().toSeconds(),
            rpc.connectTimeout().toSeconds(),
            rpc.progressTimeout().toSeconds()));
    var other = Fixture.loadWith(Map.of("name", "n2"), text).config().rpc();
    assertEquals(9, other.requestTimeout().toSeconds());
    assertEquals(1, other.notifyTimeout().toSeconds());
  }

  @Test
  void whatCanBeConfiguredCanBeGivenInCode() {
    var config =
        Fixture.loadWith(
                Map.of(
                    "control.bind",
                    List.of("10.0.0.9"),
                    "control.port",
                    7000,
                    "control.extension",
                    false,
                    "plugins.dir",
                    Path.of("/somewhere"),
                    "transports.tcp.lanes",
                    4,
                    "capabilities.tcp.stream",
                    "off"),
                "")
            .config();
    assertEquals(List.of("10.0.0.9"), config.control().bind());
    assertEquals(7000, config.control().port());
    assertFalse(config.control().extension());
    assertEquals(Path.of("/somewhere"), config.plugins().directory().orElseThrow());
    assertEquals(4, config.transports().get("tcp").lanes());
    assertEquals(Use.OFF, config.capability("tcp.stream").use());
    assertEquals(Use.ON, config.capability("tcp.crc32c").use());
  }

  @Test
  void whatIsSetInCodeIsHeldAsStrictly() {
    var refused =
        assertThrows(
            InvalidConfigurationException.class,
            () -> Fixture.loadWith(Map.of("rpc.prob-timeout", "2s"), ""));
    assertEquals("set in code", refused.problems().getFirst().where());
    var section =
        assertThrows(
            InvalidConfigurationException.class, () -> Fixture.loadWith(Map.of("rcp.a.b", 2), ""));
    assertEquals("set in code", section.problems().getFirst().where());
    assertThrows(
        InvalidConfigurationException.class,
        () -> Fixture.loadWith(Map.of("rpc.probe-timeout", 2), ""));
    assertThrows(ShuntException.class, () -> Fixture.loadWith(Map.of("name", new Object()), ""));
  }

  @Test
  void aTransportThatIsNotWantedIsDisabledAndNotAskedToValidate() {
    var loaded = Fixture.load("shunt.transports.tcp { enable = false, depth = 5000 }");
    assertTrue(loaded.discovered().transport("tcp").isEmpty());
    assertTrue(loaded.config().transports().isEmpty());
    var plugin =
        loaded.discovered().plugins().stream().filter(p -> p.id().equals("tcp")).findFirst();
    assertEquals(Plugin.State.DISABLED, plugin.orElseThrow().state());
  }

  @Test
  void aPluginThatCannotCheckItsOwnSectionFailsAndCostsNobodyElseAnything() {
    var bad =
        new Fixture.Moves("bad") {
          @Override
          public void validate(Config config) {
            throw new NoClassDefFoundError("acme/Missing");
          }
        };
    var discovered =
        Fixture.of(
            List.of(Fixture.transport(bad, "a = 1"), Fixture.transport("tcp", "depth = 1")),
            List.of());
    var loaded = Fixture.load("", discovered);
    assertTrue(loaded.discovered().transport("tcp").isPresent());
    assertTrue(loaded.discovered().transport("bad").isEmpty());
    assertTrue(loaded.discovered().failed().getFirst().cause().contains("acme/Missing"));
    var refused =
        assertThrows(
            ShuntException.class, () -> Fixture.load("shunt.plugins.required = [bad]", discovered));
    assertTrue(refused.getMessage().contains("acme/Missing"), refused::getMessage);
  }

  @Test
  void aRequiredPluginThatIsNotThereIsRefused() {
    var refused =
        assertThrows(
            ShuntException.class, () -> Fixture.load("shunt.plugins.required = [tcp, rdma]"));
    assertTrue(refused.getMessage().contains("rdma was not found"), refused::getMessage);
  }

  @Test
  void anExcludedPluginIsListedAndNotUsedAndItsSectionKnown() {
    var loaded =
        Fixture.load(
            "shunt { plugins.exclude = [failover, tcp]\n failover.max-attempts = 3\n"
                + " transports.tcp.depth = 5000 }");
    assertTrue(loaded.discovered().failover().isEmpty());
    assertTrue(loaded.discovered().transport("tcp").isEmpty());
    assertEquals(Map.of(), loaded.config().transports());
    var states =
        loaded.discovered().plugins().stream()
            .filter(plugin -> !plugin.id().equals("p2p"))
            .map(Plugin::state)
            .toList();
    assertEquals(List.of(Plugin.State.EXCLUDED, Plugin.State.EXCLUDED), states);
    assertEquals(List.of(), loaded.notes());
  }

  @Test
  void whatTheRuntimeKnowsOfAnUnusedPluginsSectionIsCheckedAllTheSame() {
    var unused =
        new dev.shunt.runtime.discovery.Discovered(
            List.of(),
            Fixture.discovered().metadata(),
            Fixture.discovered().failover(),
            List.of(),
            List.of(ConfigFactory.parseString("shunt.transports.tcp.rail-cooldown = 9s")));
    for (var discovered : List.of(Fixture.discovered(), unused)) {
      for (var out : List.of("plugins.exclude = [tcp]", "transports.tcp.enable = false")) {
        for (var wrong : List.of("lanes = 0", "rail-max-cooldown = 1s", "rail-cooldown = 1h")) {
          var refused =
              assertThrows(
                  InvalidConfigurationException.class,
                  () ->
                      Fixture.load(
                          "shunt {\n " + out + "\n transports.tcp." + wrong + " }", discovered),
                  wrong);
          assertEquals(1, refused.problems().size(), refused::getMessage);
          assertEquals("cluster.conf:3", refused.problems().getFirst().where(), wrong);
        }
      }
    }
  }

  @Test
  void wrongDefaultsOfAPluginThatIsNotUsedCostNobodyAnything() {
    for (var wrong : List.of("lanes = 0", "lanes = many", "stall-limit = [1]")) {
      var discovered =
          new dev.shunt.runtime.discovery.Discovered(
              Fixture.discovered().transports(),
              Fixture.discovered().metadata(),
              Fixture.discovered().failover(),
              List.of(Fixture.failed(dev.shunt.runtime.discovery.Kind.TRANSPORT)),
              List.of(ConfigFactory.parseString("shunt.transports.bad." + wrong)));
      assertTrue(Fixture.load("", discovered).discovered().transport("tcp").isPresent(), wrong);
    }
  }

  @Test
  void aPluginIsNotRequiredAndExcluded() {
    var refused =
        assertThrows(
            ShuntException.class,
            () -> Fixture.load("shunt.plugins { required = [tcp], exclude = [tcp] }"));
    assertTrue(
        refused.getMessage().contains("EXCLUDED, shunt.plugins.exclude"), refused::getMessage);
  }

  @Test
  void whatIsExcludedAndNotThereIsTold() {
    assertEquals(
        List.of(
            "shunt.plugins.exclude names tpc, and there is no such plug-in here; did you mean tcp?"),
        Fixture.load("shunt.plugins.exclude = [tpc]").notes());
  }

  @Test
  void aPluginsDefaultsCountInItsOwnSectionOnly() {
    var greedy =
        new dev.shunt.runtime.discovery.Discovered(
            List.of(Fixture.transport("tcp", "depth = 1")),
            Fixture.discovered().metadata(),
            Fixture.discovered().failover(),
            List.of(),
            List.of(ConfigFactory.parseString("shunt.rpc { probe-timeout = 9s, grab = 1s }")));
    assertEquals(2, Fixture.load("", greedy).config().rpc().probeTimeout().toSeconds());
    assertThrows(
        InvalidConfigurationException.class, () -> Fixture.load("shunt.rpc.grab = 2s", greedy));
  }

  @Test
  void wherePluginsAreIsKnownBeforeTheirDefaultsAre() {
    var layers =
        ConfigLayers.of(
            Fixture.parse(
                "shunt { plugins { dir = /p, required = [tcp] }, transfer.deadline ="
                    + " ${shunt.transports.tcp.idle} }"));
    var plugins = ConfigLoader.plugins(layers);
    assertEquals(Path.of("/p"), plugins.directory().orElseThrow());
    assertEquals(List.of("tcp"), plugins.required());
  }

  @Test
  void oneOfManyNodesDiffersCheaply() {
    var config = Fixture.load("").config().with(Map.of("name", "n7", "control.port", 7));
    assertEquals("n7", config.name());
    assertEquals(7, config.control().port());
    assertThrows(
        InvalidConfigurationException.class, () -> config.with(Map.of("control.port", 70_000)));
  }

  @Test
  void eachKeyOfTheRuntimesDefaultsHasAComment() {
    commented(Reference.ofRuntime().getObject("shunt"), "shunt");
    commented(
        Fixture.load("").config().transports().get("tcp").section().withOnlyPath("lanes").root(),
        "transport");
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

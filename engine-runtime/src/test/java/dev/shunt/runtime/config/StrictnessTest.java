package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import dev.shunt.api.FailureCode;
import dev.shunt.runtime.config.Problem.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictnessTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          failover.recovry-delay = 5s       | UNKNOWN_KEY    | did you mean shunt.failover.recovery-delay?
          failover.recoveryDelay = 5s       | UNKNOWN_KEY    | did you mean shunt.failover.recovery-delay?
          failovr.recovery-delay = 5s       | UNKNOWN_KEY    | did you mean shunt.failover?
          rcp.request-timeout = 5s          | UNKNOWN_KEY    | did you mean shunt.rpc?
          transports.tcp.deptth = 5         | UNKNOWN_KEY    | did you mean shunt.transports.tcp.depth?
          metadata.typ = p2p                | UNKNOWN_KEY    | did you mean shunt.metadata.type?
          control.quite-something-else = 1  | UNKNOWN_KEY    | shunt.control has advertise, bind, echo-interval, extension, port
          recovery-delay = 5s               | WRONG_SECTION  | recovery-delay stands at shunt.failover.recovery-delay
          rpc.recovery-delay = 5s           | WRONG_SECTION  | recovery-delay stands at shunt.failover.recovery-delay
          transports.lanes = 5              | WRONG_SECTION  | lanes stands at shunt.transports.tcp.lanes
          tcp { lanes = 2 }                 | WRONG_SECTION  | tcp stands at shunt.transports.tcp
          transports.acme { lanes = 2 }     | UNKNOWN_PLUGIN | there are [tcp, tent]
          transports.tpc { lanes = 2 }      | UNKNOWN_PLUGIN | did you mean shunt.transports.tcp?
          metadata.zookeeper { a = 2 }      | UNKNOWN_PLUGIN | no plug-in of that id
          control.port = many               | WRONG_TYPE     | 'many' is not a whole number
          control.port = 1.5                | WRONG_TYPE     | '1.5' is not a whole number
          control.port = [1]                | WRONG_TYPE     | a list is not a whole number
          control.port = {}                 | WRONG_TYPE     | a section is not a whole number
          control.port = null               | WRONG_TYPE     | leave the key out
          control.extension = maybe         | WRONG_TYPE     | 'maybe' is not true or false
          control.bind = 127.0.0.1          | WRONG_TYPE     | is not a list
          control = 5                       | WRONG_TYPE     | '5' is not a section
          capabilities = on                 | WRONG_TYPE     | 'on' is not a section
          rpc.probe-timeout = 2 parsecs     | WRONG_TYPE     | is not a time with a unit
          rpc.probe-timeout = true          | WRONG_TYPE     | is not a time with a unit
          rpc.max-frame = 5 spoons          | WRONG_TYPE     | is not a size with a unit
          rpc.probe-timeout = 2             | NO_UNIT        | right would be 2s or 2ms
          rpc.probe-timeout = "2"           | NO_UNIT        | right would be 2s or 2ms
          transports.tcp.idle = 30          | NO_UNIT        | right would be 30s or 30ms
          rpc.max-frame = 65536             | NO_UNIT        | right would be 65536B or 65536KiB
          rpc.probe-timeout = -2s           | OUT_OF_RANGE   | -2s is below 0
          rpc.probe-timeout = 0             | OUT_OF_RANGE   | right is 1ms
          transfer.deadline = 100000d       | OUT_OF_RANGE   | more than 36500d
          control.port = 65536              | OUT_OF_RANGE   | right is 0 to 65535
          rpc.max-frame = 1KiB              | OUT_OF_RANGE   | right is 4096B to 1073741824B
          control.bind = []                 | OUT_OF_RANGE   | one at least is needed
          control.bind = ["10.0.0.1:99"]    | OUT_OF_RANGE   | ports go to control.port
          control.bind = ["10.1"]           | OUT_OF_RANGE   | '10.1' is no IP address
          control.advertise = ["a b"]       | OUT_OF_RANGE   | is no host, host:port or [IPv6]:port
          transports.tcp.lanes = 0          | OUT_OF_RANGE   | right is 1 to 64
          transports.tcp.depth = 5000       | OUT_OF_RANGE   | right is 1 to 4096
          transports.tcp.rail-cooldown = 1h | OUT_OF_RANGE   | does not go with the default of shunt.transports.tcp.rail-max-cooldown
          transports.tcp.rail-max-cooldown = 1s | OUT_OF_RANGE | below rail-cooldown
          peer-health.cooldown = 2m         | OUT_OF_RANGE   | does not go with the default of shunt.peer-health.max-cooldown
          peer-health.max-cooldown = 1h     | OUT_OF_RANGE   | does not go with the default of shunt.peer-health.max-age
          metadata.type = zookeeper         | OUT_OF_RANGE   | there are [p2p]
          transfer.prefer = [rdma, tpc]     | OUT_OF_RANGE   | did you mean tcp?
          transfer.prefer = [zookeeper]     | OUT_OF_RANGE   | there are [nof, rdma, tcp, tent]
          capabilities.tcp.steam = off      | OUT_OF_RANGE   | did you mean tcp.stream?
          capabilities.tcp.stream = never   | OUT_OF_RANGE   | right is off, on or required
          capabilities.nof.kato = required  | OUT_OF_RANGE   | no plug-in that is in use here offers it
          capabilities.tcp.stream { highest = 0 } | OUT_OF_RANGE | right is 1 or more
          capabilities.tcp.stream { use = on, low = 1 } | OUT_OF_RANGE | there are use and highest
          nodes.n1.failover.recovry-delay = 5s | UNKNOWN_KEY | did you mean
          nodes.n1.rpc.probe-timeout = 2    | NO_UNIT        | right would be 2s or 2ms
          nodes.n1.nodes { }                | WRONG_SECTION  | stands at
          plugins.dirr = "/x"               | UNKNOWN_KEY    | did you mean shunt.plugins.dir?
          name = ${nobody.knows}            | UNREADABLE     | nobody.knows
          metadata.p2p.port = 5             | WRONG_SECTION  | shunt.control.port
          metadata.p2p.blub = 5             | UNKNOWN_KEY    | unknown key
          """)
  void aMistakeIsRefusedWithItsPlaceAndWhatWouldBeRight(String line, Kind kind, String text) {
    var refused =
        assertThrows(
            InvalidConfigurationException.class,
            () -> Fixture.load("# a comment\nshunt {\n\n  " + line + "\n}\n"));
    assertEquals(FailureCode.CONFIGURATION, refused.code());
    assertEquals(1, refused.problems().size(), refused::getMessage);
    var problem = refused.problems().getFirst();
    assertEquals(kind, problem.kind(), problem.describe());
    assertTrue(problem.text().contains(text), problem::describe);
    assertTrue(problem.where().equals("cluster.conf:4"), problem::describe);
    assertTrue(problem.path().startsWith("shunt"), problem::describe);
  }

  @Test
  void theFileIsNamedAndSoIsOneThatItIncludes(@TempDir Path directory) throws IOException {
    var common = directory.resolve("common.conf");
    Files.writeString(common, "shunt {\n  rpc.prob-timeout = 5s\n}\n");
    var main = directory.resolve("main.conf");
    Files.writeString(main, "include \"common.conf\"\n\nshunt.failover.max-atempts = 3\n");
    var refused =
        assertThrows(
            InvalidConfigurationException.class,
            () ->
                ConfigLoader.load(
                    ConfigLayers.of(ConfigFactory.parseFile(main.toFile())), Fixture.discovered()));
    assertEquals(
        List.of(common + ":2", main + ":3"),
        refused.problems().stream().map(Problem::where).toList(),
        refused::getMessage);
  }

  @Test
  void allMistakesAreToldAtOnceALineForEach() {
    var refused =
        assertThrows(
            InvalidConfigurationException.class,
            () -> Fixture.load("shunt { a = 1, b = 2, rpc.probe-timeout = 3 }"));
    assertEquals(3, refused.problems().size());
    assertEquals(3, refused.getMessage().lines().count());
  }

  @Test
  void aSectionOfOneOfOurPluginsThatIsNotHereIsOneNote() {
    var loaded =
        Fixture.load("shunt {\n transports.rdma { qps = 4 }\n metadata.etcd { endpoints = [a] } }");
    assertEquals(2, loaded.notes().size(), () -> "" + loaded.notes());
    assertTrue(
        loaded.notes().stream().anyMatch(n -> n.contains("cluster.conf:2: shunt.transports.rdma")),
        () -> "" + loaded.notes());
    assertEquals(List.of("tcp"), List.copyOf(loaded.config().transports().keySet()));
  }

  @Test
  void aSectionThatMayBelongToAFailedPluginCostsNobodyElseAnything() {
    var broken = List.of(Fixture.failed(dev.shunt.runtime.discovery.Kind.TRANSPORT));
    var tcp = List.of(Fixture.transport("tcp", "depth = 1"));
    var discovered = Fixture.of(tcp, broken);
    var loaded = Fixture.load("shunt.transports.acme { a = 1 }", discovered);
    assertTrue(loaded.notes().getFirst().contains("may be for a plug-in that failed"));
    assertThrows(
        InvalidConfigurationException.class,
        () -> Fixture.load("shunt.transports.tpc { a = 1 }", discovered));
  }

  @Test
  void aCorrectedConfigurationIsTaken() {
    var loaded =
        Fixture.load(
            """
            base = 2s
            shunt {
              name = n1
              rpc { probe-timeout = ${base}, max-frame = 1MiB }
              control { bind = ["10.0.0.1", "fd00::1"], advertise = ["h:1", "[fd00::1]:2", "h"] }
              failover.recovery-delay = 0
              transports.tcp { rails = [{ address = "10.0.0.1" }], lanes = "3" }
              capabilities { tcp.stream = required, "tcp.crc32c" { use = off, highest = 1 } }
            }
            """);
    assertEquals(List.of(), loaded.notes());
    assertEquals(2, loaded.config().rpc().probeTimeout().toSeconds());
    assertEquals(3, loaded.config().transports().get("tcp").lanes());
  }
}

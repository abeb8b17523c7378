package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One look tells all that is wrong, and where each value came from. */
class InspectionTest {
  @Test
  void mistakesOfEachKindAreToldAtOnce() {
    var text =
        """
        shunt {
          name = ${nobody.knows}
          metadata.type = ${nobody.else}
          rpc.prob-timeout = 2s
          rpc.request-timeout = 3
          rpc.max-frame = 1KiB
          transports.tcp.depth = 5000
          control { bind = [[1]], port = 70000 }
          transfer.prefer = [tpc]
          capabilities.tcp.steam = off
          plugins.required = [gone]
        }
        """;
    var problems = inspect(Map.of(), text).problems();
    assertEquals(
        List.of(2, 3, 4, 5, 6, 7, 8, 8, 9, 10, 11),
        problems.stream().map(p -> Integer.valueOf(p.where().replaceFirst(".*:", ""))).toList(),
        () -> problems.stream().map(Problem::describe).collect(Collectors.joining("\n")));
  }

  @Test
  void aMistakeInTheNodesOwnSectionIsToldOnce() {
    var text = "shunt {\n name = n1\n nodes.n1 { rpc.prob-timeout = 2s, control.port = many }\n}";
    var problems = inspect(Map.of(), text).problems();
    assertEquals(2, problems.size(), problems::toString);
  }

  @Test
  void aMistakeInTheNodesOwnSectionIsToldAtThePathWhereItStands() {
    var text =
        """
        shunt {
          name = "n.1"
          nodes."n.1" {
            control.bnd = [a]
            control.port = 70000
            transports.tcp.rail-cooldown = 1h
            transports.tcp.depth = 5000
            transports.tpc.lanes = 2
            rpc.probe-timeout = ${nobody.knows}
            close-timeout = 3
          }
          nodes.other.control.bnd = [a]
        }
        """;
    var problems = inspect(Map.of(), text).problems();
    var own = "shunt.nodes.\"n.1\".";
    assertEquals(
        List.of(
            own + "control.bnd",
            own + "control.port",
            own + "transports.tcp.rail-cooldown",
            own + "transports.tcp.depth",
            own + "transports.tpc",
            own + "rpc.probe-timeout",
            own + "close-timeout",
            "shunt.nodes.other.control.bnd"),
        problems.stream().map(Problem::path).toList(),
        problems::toString);
    assertTrue(problems.getFirst().text().endsWith("did you mean " + own + "control.bind?"));
  }

  @Test
  void aMistakeThatAllNodesShareIsToldAtItsPath() {
    var text = "shunt {\n name = n1\n control.port = 70000\n nodes.n1 { control.bind = [x] }\n}";
    assertEquals(
        List.of("shunt.control.port", "shunt.nodes.n1.control.bind"),
        inspect(Map.of(), text).problems().stream().map(Problem::path).toList());
    var over = inspect(Map.of("control.port", 70_001), text).problems();
    assertTrue(
        over.stream().anyMatch(p -> p.describe().startsWith("set in code: shunt.control.port")),
        over::toString);
  }

  @Test
  void aSectionForAPluginThatIsNotHereIsNotedOnceForTheNode() {
    var text = "shunt {\n name = n1\n nodes.n1 { transports.rdma { qps = 4 } }\n}";
    var notes = inspect(Map.of(), text).notes();
    assertEquals(1, notes.size(), notes::toString);
    assertTrue(notes.getFirst().contains("shunt.nodes.n1.transports.rdma"), notes::toString);
  }

  @Test
  void theNodesNameMayComeFromASubstitution() {
    var text =
        """
        host = n1
        shunt {
          name = ${host}
          nodes = ${all}
        }
        all { n1.control.port = 7001, n2.control.port = 7002 }
        """;
    assertEquals(7001, port(Map.of(), text));
    assertEquals(7002, port(Map.of("name", "n2"), text));
  }

  @Test
  void whatANodesSectionRefersToMayDifferForTheNode() {
    var text =
        """
        shunt {
          name = n1
          control.port = 7000
          nodes.n1 { control.port = 7001, close-timeout = ${shunt.control.port}s }
        }
        """;
    var config = inspect(Map.of(), text).config().orElseThrow();
    assertEquals(7001, config.closeTimeout().toSeconds());
  }

  @Test
  void eachValueHasItsOrigin() {
    var values =
        new java.util.LinkedHashMap<String, Object>(
            Environment.values(Map.of("SHUNT__CONTROL__PORT", "7000")));
    values.put("name", "n1");
    var text = "shunt {\n  rpc.probe-timeout = 5s\n  nodes.n1.transports.tcp.idle = 6s\n}\n";
    var shown =
        Shown.all(inspect(values, text)).stream()
            .collect(Collectors.toMap(Shown::path, Function.identity()));
    assertEquals("environment SHUNT__CONTROL__PORT", shown.get("shunt.control.port").origin());
    assertEquals("set in code", shown.get("shunt.name").origin());
    assertEquals("cluster.conf:2", shown.get("shunt.rpc.probe-timeout").origin());
    assertEquals("cluster.conf:3", shown.get("shunt.transports.tcp.idle").origin());
    assertEquals(
        6, inspect(values, text).merged().getDuration("shunt.transports.tcp.idle").toSeconds());
    var untouched = shown.get("shunt.transfer.deadline");
    assertTrue(untouched.isDefault() && untouched.origin().contains("reference.conf:"));
    assertTrue(!shown.get("shunt.rpc.probe-timeout").isDefault());
  }

  @Test
  void aNodeWithoutASectionOfItsOwnIsTold() {
    var text = "shunt {\n nodes { alpha.control.port = 1, beta.control.port = 2 }\n}\n";
    var mistyped = inspect(Map.of("name", "alhpa"), text);
    assertEquals(List.of(), mistyped.problems());
    assertEquals(
        List.of(
            "set in code: shunt.name: shunt.nodes has no section 'alhpa', so that only what all"
                + " nodes share counts; did you mean alpha?; there are alpha, beta"),
        mistyped.notes());
    assertTrue(inspect(Map.of(), text).notes().getFirst().startsWith("shunt.name is not given"));
    assertEquals(List.of(), inspect(Map.of("name", "alpha"), text).notes());
    assertEquals(List.of(), inspect(Map.of("name", "alpha"), "shunt {}").notes());
  }

  @Test
  void aKeyWithASignOfItsPathIsAProblemAsAnyOther() {
    var problems = inspect(Map.of(), "shunt { \"a[0\" = 1, nodes.n.\"b.c]\" = 2 }").problems();
    assertEquals(2, problems.size(), problems::toString);
  }

  private static int port(Map<String, Object> values, String text) {
    var inspection = inspect(values, text);
    assertEquals(List.of(), inspection.problems());
    return inspection.config().orElseThrow().control().port();
  }

  private static Inspection inspect(Map<String, Object> values, String text) {
    return new Inspector(new ConfigLayers(values, Fixture.parse(text)), Fixture.discovered())
        .inspect();
  }
}

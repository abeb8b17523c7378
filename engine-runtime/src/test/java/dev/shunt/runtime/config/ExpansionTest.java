package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.runtime.discovery.Given;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A few lines whose substitutions would fill all memory are refused, and what is usual is not. */
class ExpansionTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  /** Each with %1$d for a number, and %2$d for the one after it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "k%2$d = ${k%1$d}${k%1$d}",
        "k%2$d = [${k%1$d}, ${k%1$d}]",
        "k%2$d = ${k%1$d} ${k%1$d} [x]",
        "k%2$d = {a = ${k%1$d}, b = ${k%1$d}}",
        "k%2$d = ${?k%1$d}${?k%1$d}",
        "k0 = ${k0}${k0}",
        "k0 = ${k0}\" \"${k0}",
        "b = ${a}\na = ${b}${b}",
        "b = ${a}${a}\na = ${b}",
        "k0 = ${base} {x%2$d = ${k0.x%1$d}${k0.x%1$d}, x0 = xxxxxxxx}",
        "nodes.n.k%2$d = ${shunt.k%1$d}${shunt.k%1$d}\nname = n",
      })
  void whatDoublesWithEachLineIsRefusedSoon(String line) {
    var first = line.endsWith("[x]") ? "[x]" : "xxxxxxxx";
    var text =
        "base {}\na = %1$s\nk0 = %1$s\nshunt {\nk0 = xxxxxxxx\n}\n".formatted(first)
            + IntStream.range(0, 50)
                .mapToObj(i -> line.formatted(i, i + 1))
                .map(l -> l.startsWith("nodes") ? "shunt {\n" + l + "\n}\n" : l + "\n")
                .collect(Collectors.joining());
    var layers = ConfigLayers.of(Fixture.parse(text));
    var problems =
        assertTimeoutPreemptively(
            SOON, () -> ConfigLoader.inspect(layers, Given.NONE).problems(), line);
    var told = problems.stream().filter(p -> p.text().equals(Expansion.TOO_MUCH)).toList();
    assertFalse(told.isEmpty(), () -> line + ": " + problems);
    assertTrue(told.getFirst().where().matches("cluster\\.conf:\\d+"), told::toString);
  }

  @Test
  void whatEveryNodeOfALargeClusterSharesIsNotTooMuch() {
    var text =
        "defaults { a = 1, b = [1, 2, 3], c { d = some text, e = 10s } }\nport = 15000\n"
            + IntStream.range(0, 400)
                .mapToObj(
                    i ->
                        ("ip%1$d = 10.0.0.%1$d\nnodes.n%1$d = ${defaults} { bind = [${ip%1$d}],"
                                + " advertise = ${ip%1$d}\":\"${port} }\n")
                            .formatted(i))
                .collect(Collectors.joining());
    assertEquals(Optional.empty(), Expansion.problem(Fixture.parse(text)));
    assertEquals("10.0.0.7:15000", Fixture.parse(text).resolve().getString("nodes.n7.advertise"));
  }

  @Test
  void appendingSomeTimesIsNotTooMuch() {
    var text = "a = [x]\n" + "a += y\n".repeat(40) + "a = ${a} [z]\n".repeat(20);
    assertEquals(Optional.empty(), Expansion.problem(Fixture.parse(text)));
    assertEquals(61, Fixture.parse(text).resolve().getList("a").size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a += y", "a = ${a} [y]", "a = ${?b}", "a = ${?b} {x = 1}"})
  void whatIsLaidOverItselfVeryOftenIsRefusedSoonWithItsPlace(String line) {
    var text = "b = []\nshunt {\n" + (line + "\n").repeat(1000) + "}\n";
    var layers = ConfigLayers.of(Fixture.parse(text.replace("${a}", "${shunt.a}")));
    var problems =
        assertTimeoutPreemptively(SOON, () -> ConfigLoader.inspect(layers, Given.NONE).problems());
    var problem = problems.stream().filter(p -> p.text().equals(Expansion.TOO_OFTEN)).findFirst();
    assertEquals("shunt.a", problem.orElseThrow().path());
    assertTrue(problem.get().where().startsWith("cluster.conf:"), problems::toString);
  }

  @Test
  void valuesThatReferToOneAnotherOnceAreNotTooMuch() {
    var text = "a = ${b}\nb = ${a}\nc { d = ${c.e}, e = 1 }\nf = ${c} { g = ${f.d} }";
    assertEquals(Optional.empty(), Expansion.problem(Fixture.parse(text)));
  }

  @Test
  void aLargeVariableOfTheEnvironmentCounts() {
    var text = IntStream.range(0, 100).mapToObj(i -> "k%d = ${V}".formatted(i));
    var config = Fixture.parse(text.collect(Collectors.joining("\n")));
    assertEquals(Optional.empty(), Expansion.problem(config, _ -> "x".repeat(1000)));
    var problem = Expansion.problem(config, _ -> "x".repeat(100_000)).orElseThrow();
    assertEquals(Expansion.TOO_MUCH, problem.text());
  }

  @Test
  void whatGrowsTooLargeIsToldWithItsPlace() {
    var doubling =
        IntStream.range(0, 30)
            .mapToObj(i -> "k%2$d = ${k%1$d}${k%1$d}\n".formatted(i, i + 1))
            .collect(Collectors.joining());
    var text = "k0 = xxxxxxxx\n" + doubling + "shunt.name = ${k30}\n";
    // 8 characters, doubled: the 21st is the first of more than 8 MiB, with what names it.
    var problem = Expansion.problem(Fixture.parse(text)).orElseThrow();
    assertTrue(
        problem.describe().matches("cluster.conf:2[0-2]: k(19|20|21): grows.*"), "" + problem);
    var endless =
        IntStream.range(0, 2000)
            .mapToObj(i -> "a" + i + " = ${a" + (i + 1) + "}\n")
            .collect(Collectors.joining());
    problem = Expansion.problem(Fixture.parse(endless + "a2000 = x")).orElseThrow();
    assertEquals(Resolution.ENDLESS, problem.text());
    assertTrue(problem.where().startsWith("cluster.conf:"), "" + problem);
  }
}

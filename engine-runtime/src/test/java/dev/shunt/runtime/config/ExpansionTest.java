package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
    assertTrue(problems.contains(Expansion.TOO_MUCH), () -> line + ": " + problems);
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
  void appendingManyTimesIsNotTooMuch() {
    var text = "a = [x]\n" + "a += y\n".repeat(300) + "a = ${a} [z]\n".repeat(200);
    assertEquals(Optional.empty(), Expansion.problem(Fixture.parse(text)));
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
    assertEquals(
        Optional.of(Expansion.TOO_MUCH), Expansion.problem(config, _ -> "x".repeat(100_000)));
  }
}

package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigException;
import dev.shunt.runtime.discovery.Given;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However large, deep or endless what is given is, reading it ends soon and says why. */
class ConfigBoundsTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;

  @Test
  void aDeviceIsNotRead() throws IOException {
    var link = Files.createSymbolicLink(folder.resolve("zero.conf"), Path.of("/dev/zero"));
    assertTrue(refused(link).contains("is a pipe or a device"));
    var including = write("a.conf", "include \"zero.conf\"");
    assertTrue(refused(including).contains("is a pipe or a device"));
  }

  @Test
  void aPipeIsNotWaitedFor() throws Exception {
    var pipe = folder.resolve("pipe.conf");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertTrue(refused(pipe).contains("is a pipe or a device"));
  }

  @Test
  void aFileHasAtMostOneMebibyteWithAllThatItIncludes() throws IOException {
    var half = "# " + "x".repeat(Intake.MOST_BYTES / 2) + "\n";
    write("half.conf", half);
    assertTrue(ConfigFile.read(write("a.conf", "include \"half.conf\"\n")).isEmpty());
    var twice = write("b.conf", "include \"half.conf\"\ninclude \"half.conf\"\n");
    assertTrue(refused(twice).contains("half.conf: is too large; right is at most 1MiB"));
    assertTrue(refused(write("c.conf", half + half)).contains("is too large"));
  }

  @Test
  void valuesAndWordsAreCountedSinceTheParserCopiesSectionsAndTextsForEach() throws IOException {
    var values =
        IntStream.range(0, Intake.MOST_VALUES)
            .mapToObj(i -> "shunt.nodes.a.k" + i + " = 1\n")
            .collect(Collectors.joining());
    var most = write("a.conf", values);
    assertEquals(
        Intake.MOST_VALUES,
        assertTimeoutPreemptively(SOON, () -> ConfigFile.read(most).getConfig("shunt.nodes.a"))
            .root()
            .size());
    assertTrue(refused(write("b.conf", "include \"a.conf\"\nb = 1")).contains("too many values"));
    assertTrue(refused(write("c.conf", "c = " + "[1]".repeat(20_000))).contains("too many values"));
    assertTrue(refused(write("f.conf", "c += 1\n".repeat(2_000))).contains("too many values"));
    assertTrue(refused(write("d.conf", "d = " + "a ".repeat(70_000))).contains("too many words"));
    assertTrue(
        refused(write("e.conf", "d = " + "\"a\"".repeat(70_000))).contains("too many words"));
  }

  @Test
  void includesAreCountedAndTheFirstOneTooManyIsToldWithItsLine() throws IOException {
    write("x.conf", "");
    var lines = "include \"x.conf\"\n".repeat(Intake.MOST_INCLUDES);
    assertTrue(ConfigFile.read(write("a.conf", lines)).isEmpty());
    var more = refused(write("b.conf", lines + "include \"?y.conf\"\n".repeat(100)));
    assertEquals(1, more.lines().count(), more);
    assertTrue(more.contains("b.conf:257: include \"?y.conf\": is one too many"), more);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a{", "[", "a=[{", "a.", "${?x}{", "\"a\".", "a . "})
  void whatIsNestedTooDeeplyIsRefusedWithItsLine(String part) throws IOException {
    var text = "shunt {\n b = \"#{[\" # }}\n c = \n" + part.repeat(20_000);
    var refused = refused(write("a.conf", text));
    assertTrue(refused.contains("a.conf:4: is nested too deeply"), refused);
    assertEquals(1, refused.lines().count());
  }

  @Test
  void bracketsInTextsAndCommentsAreNoDepth() throws IOException {
    var many = "[{".repeat(100) + ".".repeat(100);
    var text =
        "# %s\n// %s\na = \"%s\\\"%s\"\nb = \"\"\"%s\n\"%s\"\"\"\nc = %s1%s\n"
            .formatted(many, many, many, many, many, many, "[".repeat(60), "]".repeat(60));
    assertEquals(many + "\"" + many, ConfigFile.read(write("a.conf", text)).getString("a"));
  }

  @Test
  void aValueOfTheCommandLineIsNotNestedTooDeeplyEither() {
    for (var given :
        List.of(Map.entry("a", "[".repeat(20_000)), Map.entry("a.".repeat(20_000) + "a", "1"))) {
      assertThrows(
          ConfigException.class,
          () -> Environment.parsed(given.getKey(), given.getValue(), "here"));
    }
  }

  @Test
  void substitutionsThatLeadOnAndOnAreAProblemAndNoDefect() {
    var chain =
        IntStream.range(0, 20_000)
            .mapToObj(i -> "a" + i + " = ${a" + (i + 1) + "}\n")
            .collect(Collectors.joining());
    var text = chain + "a20000 = x\nshunt.name = ${a0}\n";
    var layers = ConfigLayers.of(Fixture.parse(text));
    var problems = ConfigLoader.inspect(layers, Given.NONE).problems();
    assertTrue(problems.getFirst().text().contains("lead on and on"), problems::toString);
    assertThrows(InvalidConfigurationException.class, () -> ConfigLoader.plugins(layers));
  }

  @Test
  void veryManyUnknownKeysAreCountedSoonAndTheFirstOnesTold() {
    var text =
        IntStream.range(0, 100_000)
            .mapToObj(i -> "  qdepht-" + i + " = " + i + "\n")
            .collect(Collectors.joining("", "shunt.transports.tcp {\n", "}\n"));
    var problems = assertTimeoutPreemptively(SOON, () -> inspect(text).problems());
    assertEquals(Problem.MOST + 1, problems.size());
    assertEquals("and 99950 more", problems.getLast().text());
    assertEquals(Problem.Kind.MORE, problems.getLast().kind());
    assertEquals(problems, new InvalidConfigurationException(problems).problems());
  }

  @Test
  void veryManyReferencesToNothingAreCountedSoonAndTheFirstOnesTold() {
    var text =
        IntStream.range(0, 30_000)
            .mapToObj(i -> "  k" + i + " = ${no" + i + "}\n")
            .collect(Collectors.joining("", "shunt.transports.tcp {\n", "}\n"));
    var problems = assertTimeoutPreemptively(SOON, () -> inspect(text).problems());
    assertEquals(Problem.MOST + 1, problems.size());
    assertEquals("and 29950 more", problems.getLast().text());
  }

  @Test
  void veryManySecretsAreBlottedOutSoon() {
    var text =
        IntStream.range(0, 50_000)
            .mapToObj(i -> "  n" + i + ".api-token = \"hunter" + i + "\"\n")
            .collect(Collectors.joining("", "shunt.nodes {\n", "}\n"));
    var shown = assertTimeoutPreemptively(SOON, () -> Shown.all(inspect(text)).toString());
    assertFalse(shown.contains("hunter"));
  }

  @Test
  void aTextOfMegabytesIsNotRepeated() {
    var problem = inspect("shunt.control.port = \"" + "x".repeat(1 << 20) + "\"").problems();
    assertTrue(problem.getFirst().text().length() < 2000);
  }

  @Test
  void aKeyOfManyKilobytesIsNotRepeated() {
    var problem = inspect("shunt { control." + "k".repeat(300_000) + " = 1 }").problems();
    assertTrue(problem.getFirst().describe().length() < 2000, "" + problem.getFirst());
    assertTrue(problem.getFirst().describe().contains("shunt.control.kkk"));
  }

  @Test
  void whatIsNotInUtf8IsRefusedWithItsLine() throws IOException {
    var file = folder.resolve("a.conf");
    Files.write(file, new byte[] {'a', '=', '1', '\n', 'b', '=', (byte) 0xff, (byte) 0xfe, '\n'});
    var refused = refused(file);
    assertTrue(refused.contains("a.conf:2: is not in UTF-8"), refused);
  }

  @Test
  void aMistakeFarFromItsSecretsKeyTellsNoneEither() throws IOException {
    var text = "shunt.nodes.a.pin {\n\n\n\n  a = hunter2 [1]\n}\n";
    assertFalse(refused(write("a.conf", text)).contains("hunter2"));
    for (var line :
        List.of("b = [a'hunter2'b}", "b = 4711 [1]", "b 'hunter2' = 1 }}", "b = ${hunter2 c")) {
      var refused = refused(write("b.conf", "shunt.nodes.a.pin {\n\n\n" + line + "\n"));
      assertFalse(refused.contains("hunter2") || refused.contains("4711"), refused);
      assertTrue(refused.contains("b.conf"), refused);
    }
    assertTrue(refused(write("c.conf", "a = ]\n")).contains("']'"));
  }

  private static Inspection inspect(String text) {
    return new Inspector(ConfigLayers.of(Fixture.parse(text)), Fixture.discovered()).inspect();
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static String refused(Path file) {
    return assertTimeoutPreemptively(
        SOON,
        () ->
            assertThrows(InvalidConfigurationException.class, () -> ConfigFile.read(file))
                .getMessage());
  }
}

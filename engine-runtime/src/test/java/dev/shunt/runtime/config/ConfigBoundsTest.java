package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.runtime.discovery.Given;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  void aFileOfTheKernelsIsNotRead() throws IOException {
    var including = write("a.conf", "include \"/proc/self/environ\"");
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
        IntStream.range(0, Shape.MOST_VALUES)
            .mapToObj(i -> "shunt.nodes.a.k" + i + " = 1\n")
            .collect(Collectors.joining());
    var most = write("a.conf", values);
    assertEquals(
        Shape.MOST_VALUES,
        assertTimeoutPreemptively(SOON, () -> ConfigFile.read(most).getConfig("shunt.nodes.a"))
            .root()
            .size());
    assertTrue(refused(write("b.conf", "include \"a.conf\"\nb = 1")).contains("too many values"));
    assertTrue(refused(write("c.conf", "c = " + "[1]".repeat(20_000))).contains("too many values"));
    assertTrue(
        refused(write("f.conf", "c += 1\n".repeat(2_049)))
            .contains("too many substitutions; right is at most 2048, with all"));
    assertTrue(refused(write("d.conf", "d = " + "a ".repeat(70_000))).contains("too many words"));
    assertTrue(
        refused(write("e.conf", "d = " + "\"a\"".repeat(70_000))).contains("too many words"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[%s]",
        "[%s\n]",
        "[\n%s]",
        "[1, # [\n %s]",
        "[{a:1}, %s]",
        "{b = [%s]}",
        "{a:[],b:[%s]}"
      })
  void elementsOfListsAreCountedWhateverPartsThem(String list) throws IOException {
    for (var parted : List.of("1,", "1\n", "{},", "[],", "\"a\",", "a b,", "${?x},")) {
      boolean reference = parted.startsWith("$");
      var few = parted.repeat(reference ? Shape.MOST_REFERENCES : Shape.MOST_VALUES - 10);
      var file = write("a.conf", "a = " + list.formatted(few));
      assertTimeoutPreemptively(SOON, () -> ConfigFile.read(file), parted);
      var much = parted.repeat(reference ? Shape.MOST_REFERENCES + 1 : Shape.MOST_VALUES);
      var refused = refused(write("b.conf", "a = " + list.formatted(much)));
      assertTrue(refused.contains("too many " + (reference ? "sub" : "values")), refused);
    }
  }

  @Test
  void aKeyWithItsSectionIsOneValueAndSoIsOneWithASubstitution() throws IOException {
    var sections =
        IntStream.range(0, Shape.MOST_VALUES / 2)
            .mapToObj(i -> "k" + i + (i % 2 == 0 ? " = { a : 1 }\n" : " : [1]\n"))
            .collect(Collectors.joining());
    ConfigFile.read(write("a.conf", sections));
    var chain =
        IntStream.range(0, Shape.MOST_REFERENCES)
            .mapToObj(i -> "a" + (i + 1) + " = ${a" + i + "}\n")
            .collect(Collectors.joining());
    ConfigFile.read(write("b.conf", "a0 = 1\n" + chain));
    var one = refused(write("c.conf", "a0 = 1\n" + chain + "b = ${?a0}"));
    assertTrue(one.contains("too many substitutions; right is at most 2048"), one);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "control.port",
        "rpc.max-frame",
        "rpc.probe-timeout",
        "transports.tcp.lanes",
        "close-timeout"
      })
  void aNumberOfVeryManyDigitsCostsNothing(String key) {
    var digits = "9".repeat(900_000);
    for (var value :
        List.of(digits, "\"" + digits + "\"", digits + "B", digits + "d", "\"." + digits + "B\"")) {
      var text = "shunt." + key + " = " + value;
      var config = Fixture.parse(text);
      var problems =
          assertTimeoutPreemptively(
                  SOON,
                  () -> new Inspector(ConfigLayers.of(config), Fixture.discovered()).inspect())
              .problems();
      assertEquals(1, problems.size(), problems::toString);
      assertEquals("cluster.conf:1", problems.getFirst().where());
      assertTrue(problems.getFirst().describe().length() < 200, problems::toString);
    }
  }

  @Test
  void aFewCharactersForAVastSizeAreRefused() {
    for (var size : List.of("1e999999999B", "1e-999999999KiB", "1.5E+99999999")) {
      var problems =
          assertTimeoutPreemptively(
              SOON, () -> inspect("shunt.rpc.max-frame = \"" + size + "\"").problems());
      assertEquals(1, problems.size(), problems::toString);
      assertTrue(problems.getFirst().text().contains("too large an exponent"), problems::toString);
    }
  }

  @Test
  void aLongNameOfAnIncludeIsToldOnceAndInPart() throws IOException {
    var name = "a".repeat(5_000);
    var refused = refused(write("a.conf", "\ninclude \"" + name + "\"\n"));
    assertTrue(refused.length() < 600, refused);
    assertTrue(refused.contains("a.conf:2: include \"aaa"), refused);
    assertTrue(refused.contains("there is no such file"), refused);
    var short_ = refused(write("b.conf", "include \"?b2.conf\"\ninclude \"gone.conf\""));
    assertTrue(short_.endsWith("\"?gone.conf\" may be missing"), short_);
    var folderOnly = refused(write("c.conf", "include \".\""));
    assertTrue(folderOnly.endsWith("is a directory; right is a HOCON file"), folderOnly);
  }

  @Test
  void includesAreAtMost32WithinOneAnother() throws IOException {
    for (int i = 0; i < 40; i++) {
      write("c" + i + ".conf", "include \"c" + (i + 1) + ".conf\"\n");
    }
    var refused = refused(folder.resolve("c0.conf"));
    assertTrue(
        refused.endsWith("by way of 32 files; right are at most 32 within one another"), refused);
    write("c31.conf", "a = 1");
    assertEquals(1, ConfigFile.read(folder.resolve("c0.conf")).getInt("a"));
    write("c31.conf", "include \"c0.conf\"");
    assertTrue(refused(folder.resolve("c0.conf")).endsWith("c3.conf] and 28 more"));
  }

  @Test
  void veryManyNamesOrLongOnesAreListedInPart() {
    var names = IntStream.range(0, 5_000).mapToObj(i -> "k".repeat(5_000) + i).toList();
    var few = Names.few(names);
    assertTrue(few.length() < 1200 && few.endsWith("... and 4984 more"), few);
    assertEquals("a, b", Names.few(List.of("b", "a")));
    var node = "nodes." + "n".repeat(5_000) + ".name = x";
    assertTrue(inspect("shunt { " + node + " }").notes().getFirst().length() < 400);
    var ids = IntStream.range(0, 5_000).mapToObj(i -> "p" + i).collect(Collectors.joining(","));
    assertEquals(16, inspect("shunt.plugins.exclude = [" + ids + "]").notes().size());
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a              | {a:     | 3000  | 1 | }  | is nested too deeply; right is at most 64
          a              | [       | 20000 |   |    | is nested too deeply
          a.             | 1,      | 0     | 1 |    | is nested too deeply
          a              | '1,'    | 10000 | 1 |    | has too many values; right is at most 8192
          a              | ${PATH} | 3000  |   |    | has too many substitutions; right is at most 2048
          a              | ${b}    | 1     |   |    | refers to what there is not; here right are variables
          a              | ]       | 1     |   |    | is no HOCON value
          """)
  void aValueOfTheCommandLineHasTheSameBoundsAndIsToldSo(
      String key, String part, int times, String middle, String end, String why) {
    var path = key.endsWith(".") ? key.repeat(20_000) + "a" : key;
    var open = part.equals("1,") ? "[" : "";
    var text =
        open
            + part.repeat(times)
            + (middle == null ? "" : middle)
            + (end == null ? "" : end.repeat(times))
            + (open.isEmpty() ? "" : "]");
    var refused =
        assertThrows(
            InvalidConfigurationException.class, () -> Environment.parsed(path, text, "here"));
    assertTrue(refused.getMessage().contains(why), refused::getMessage);
    assertEquals("here", refused.problems().getFirst().where());
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

package dev.shunt.cli;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configuration out of a file and single values. */
class SettingsTest {
  @TempDir Path folder;

  @Test
  void laysACommandsValuesOverTheFileAndTheCallersOverBoth() throws Exception {
    var file = folder.resolve("shunt.conf");
    Files.writeString(file, "shunt { a = file, b = file, c = file }");

    var settings =
        Settings.of(Optional.of(file), List.of("b=own", "c=own"), List.of("shunt.c=given"));

    assertEquals("file", settings.file().getString("shunt.a"));
    assertEquals("own", settings.values().get("b").unwrapped());
    assertEquals("given", settings.values().get("c").unwrapped());
  }

  @Test
  void aValueKnowsWhereItCameFrom() {
    var settings = Settings.of(Optional.empty(), List.of(), List.of("a.b=[1, x]"));

    var value = settings.values().get("a.b");
    assertEquals(List.of(1, "x"), value.unwrapped());
    assertTrue(value.origin().description().equals("--set a.b"), value.origin().description());
  }

  @Test
  void theEnvironmentLiesOverACommandsOwnValuesAndUnderTheCallers() {
    var environment = Map.of("SHUNT__A", "env", "SHUNT__B", "env", "SHELL", "sh");
    var settings = Settings.of(Optional.empty(), List.of("a=own"), environment, List.of("b=given"));

    assertEquals("env", settings.values().get("a").unwrapped());
    assertEquals("environment SHUNT__A", settings.values().get("a").origin().description());
    assertEquals("given", settings.values().get("b").unwrapped());
    assertEquals(2, settings.values().size());
  }

  @Test
  void allValuesThatAreWrongAreTold() {
    var thrown =
        assertThrows(
            ShuntException.class,
            () -> Settings.of(Optional.empty(), List.of(), List.of("a", "b=[", "c.secret=[hush")));
    assertEquals(3, thrown.getMessage().lines().count(), thrown.getMessage());
    assertFalse(thrown.getMessage().contains("hush"), thrown.getMessage());
  }

  @Test
  void saysWhichValueIsWrong() {
    assertRefused("--set port", List.of("port"));
    assertRefused("--set a: ", List.of("a=["));
    var deep = "a=" + "{a:".repeat(3000) + "1" + "}".repeat(3000);
    assertRefused("--set a: is nested too deeply; right is at most 64", List.of(deep));
    var many = "a=[" + "1,".repeat(9000) + "1]";
    assertRefused("--set a: has too many values; right is at most 8192", List.of(many));
  }

  @Test
  void saysWhichFileIsWrong() throws Exception {
    var broken = folder.resolve("broken.conf");
    Files.writeString(broken, "shunt {");
    assertRefused(broken + "", broken);
    assertRefused("missing.conf", folder.resolve("missing.conf"));
  }

  @Test
  void aFileThatIsNotThereIsNamedOnceAndWithoutTheWordsOfJava() throws Exception {
    var missing = folder.resolve("missing.conf");
    for (var file : List.of(missing, folder)) {
      var text =
          assertThrows(
                  ShuntException.class, () -> Settings.of(Optional.of(file), List.of(), List.of()))
              .getMessage();
      assertEquals(2, text.split(Pattern.quote(file.toString()), -1).length, text);
      assertFalse(text.contains("java."), text);
    }
  }

  @Test
  void aFileWithoutTheSectionIsRefused() throws Exception {
    var bare = folder.resolve("bare.conf");
    Files.writeString(bare, "control { port = 15000 }");

    assertRefused("no section 'shunt' in " + bare + ", which has control", bare);
    Files.writeString(
        bare, IntStream.range(0, 5000).mapToObj(i -> "k" + i + "=1\n").collect(joining()));
    assertRefused("k10, k100, k1000, k1001", bare);
    assertRefused(" and 4984 more; what is for the node", bare);
  }

  @Test
  void timesThatACommandWaitsForAreThoseOfTheEngine() throws Exception {
    var file = folder.resolve("times.conf");
    Files.writeString(
        file, "shunt { name = n, rpc.request-timeout = 3s, nodes.n.transfer.deadline = 5m }");

    var settings = Settings.of(Optional.of(file), List.of(), List.of());
    assertEquals(Duration.ofMinutes(5), settings.transferDeadline());
    assertEquals(Duration.ofSeconds(3), settings.requestTimeout());
    var over = Settings.of(Optional.of(file), List.of(), List.of("transfer.deadline=7s"));
    assertEquals(Duration.ofSeconds(7), over.transferDeadline());
  }

  private static void assertRefused(String where, List<String> values) {
    refused(where, () -> Settings.of(Optional.empty(), List.of(), values));
  }

  private static void assertRefused(String where, Path file) {
    refused(where, () -> Settings.of(Optional.of(file), List.of(), List.of()));
  }

  private static void refused(String where, Runnable merging) {
    var thrown = assertThrows(ShuntException.class, merging::run);
    assertEquals(FailureCode.CONFIGURATION, thrown.code());
    assertTrue(thrown.getMessage().contains(where), thrown.getMessage());
    assertEquals(1, thrown.getMessage().lines().count(), thrown.getMessage());
  }
}

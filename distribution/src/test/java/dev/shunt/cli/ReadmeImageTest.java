package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What README.md shows is so: its program runs, its configuration is right, its links lead
 * somewhere.
 */
class ReadmeImageTest {
  private static final Path ROOT = Path.of(System.getProperty("shunt.root"));
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]+\\]\\(([^)#]*)(#[^)]*)?\\)");

  @TempDir Path folder;

  @Test
  void theFirstProgramRunsAgainstTheModulesOfTheBuild() throws Exception {
    var program = block("## A first program", "java");
    assertTrue(program.lines().count() <= 20, program);
    var file = Files.writeString(folder.resolve("First.java"), program);
    try (var peer = Image.serve("1MiB")) {
      var name = peer.awaitReady(Deadline.in(Duration.ofSeconds(60)));
      var ran =
          LinkedImage.run(
              folder,
              Path.of(System.getProperty("java.home"), "bin/java").toString(),
              "-p",
              Image.FOLDER.resolveSibling("modules").toString(),
              "--add-modules",
              "ALL-MODULE-PATH",
              "--enable-native-access=dev.shunt.transport.rdma,dev.shunt.transport.tcp",
              file.toString(),
              name);

      assertEquals(0, ran.code(), ran::toString);
      assertEquals("the same bytes came back", ran.out().strip(), ran::toString);
      assertTrue(!ran.err().contains("restricted method"), ran::toString);
    }
  }

  @Test
  void theConfigurationForAClusterIsRightForEachNode() throws Exception {
    var text = block("## A configuration for a cluster", "hocon");
    var file = Files.writeString(folder.resolve("cluster.conf"), text);
    for (var name : List.of("a", "b")) {
      var ran = check(file, name);
      assertEquals(0, ran.code(), ran::toString);
      assertTrue(
          LinkedImage.BUILT
              .shunt(
                  folder,
                  "config",
                  "--config",
                  file.toString(),
                  "--set",
                  "name=" + name,
                  "--path",
                  "transports.tcp.rails")
              .out()
              .contains("10.0.1."),
          name);
    }
    Files.writeString(file, text.replace("deadline", "deadlin"));
    var refused = check(file, "a");
    assertEquals(ExitCode.CONFIGURATION.number(), refused.code(), refused::toString);
    assertTrue(refused.err().contains("shunt.transfer.deadline"), refused::toString);
  }

  private Image.Ran check(Path file, String name) throws Exception {
    return LinkedImage.BUILT.shunt(
        folder, "config", "--config", file.toString(), "--set", "name=" + name, "--check");
  }

  @Test
  void theDemoPrintsTheLinesThatAreShown() throws Exception {
    var readme = readme();
    int begin = readme.indexOf("```\nnode ") + "```\n".length();
    var shown = readme.substring(begin, readme.indexOf("```", begin));
    var ran = LinkedImage.BUILT.shunt(folder, "demo");
    assertEquals(0, ran.code(), ran::toString);
    assertEquals(bare(shown), bare(ran.out()), ran::toString);
  }

  /** What is the same in each run. */
  private static String bare(String transcript) {
    return transcript
        .replaceAll("[0-9]+(\\.[0-9]+)? (ns|us|ms|s)\\b", "TIME")
        .replaceAll("[0-9]+(\\.[0-9]+)? [KMG]iB/s", "RATE")
        .replaceAll("127\\.0\\.0\\.1:[0-9]+", "NODE")
        .replaceAll("pid [0-9]+", "pid N")
        .replaceAll("[0-9]+ %", "PART")
        .replaceAll("[0-9]+ slices? sent", "N sent")
        .replaceAll("checksum +[0-9a-f]{8}", "checksum CRC")
        .replaceAll(" +", " ");
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    var readme = readme();
    var headings =
        readme
            .lines()
            .filter(line -> line.startsWith("## "))
            .map(line -> "#" + line.substring(3).toLowerCase().replace(' ', '-'))
            .toList();
    for (var link : LINK.matcher(readme.replaceAll("\\s+", " ")).results().toList()) {
      var path = link.group(1);
      assertTrue(
          path.isEmpty() ? headings.contains(link.group(2)) : Files.exists(ROOT.resolve(path)),
          () -> link.group() + " leads nowhere");
    }
  }

  @Test
  void commandsAreThereAndAllAreNamed() throws IOException {
    var scripts =
        Pattern.compile(
                "distribution/(shunt|verify|bench-tcp|bench-peers|failover-links|rdma-link-failover"
                    + "|lab/up|lab/long|lab/figures)\\b")
            .matcher(readme())
            .results()
            .map(m -> m.group())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(9, scripts.size(), scripts::toString);
    scripts.forEach(script -> assertTrue(Files.isExecutable(ROOT.resolve(script)), script));
    var named =
        Pattern.compile("(?m)^\\| `shunt ([a-z]+)")
            .matcher(readme())
            .results()
            .map(m -> m.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(new TreeSet<>(Main.commandLine().getSubcommands().keySet()), named);
  }

  @Test
  void propertiesOfTheBuildAreWhatTheBuildReads() throws IOException {
    var pom = Files.readString(ROOT.resolve("distribution/pom.xml"));
    for (var property : List.of("image.modules", "image.jdk.modules", "image.aot")) {
      assertTrue(readme().contains("`" + property + "`"), property);
      assertTrue(pom.contains("${" + property + "}"), property);
    }
  }

  private static String readme() throws IOException {
    return Files.readString(ROOT.resolve("README.md"));
  }

  /** The first block of a language under a heading. */
  private static String block(String heading, String language) throws IOException {
    var readme = readme();
    int section = readme.indexOf(heading + "\n");
    assertTrue(section >= 0, heading + " is missing");
    var fence = "```" + language + "\n";
    int begin = readme.indexOf(fence, section) + fence.length();
    return readme.substring(begin, readme.indexOf("```", begin));
  }
}

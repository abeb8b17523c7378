package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plug-ins of others beside an image: good ones, and bad ones that come first. */
class PluginsImageTest {
  private static final String CALLS_NATIVE_CODE =
      """
      final Object strlen =
          java.lang.foreign.Linker.nativeLinker()
              .downcallHandle(
                  java.lang.foreign.Linker.nativeLinker().defaultLookup().find("getpid").get(),
                  java.lang.foreign.FunctionDescriptor.of(java.lang.foreign.ValueLayout.JAVA_INT));
      """;

  @TempDir Path folder;
  private Path plugins;

  @BeforeEach
  void place() throws Exception {
    plugins = Files.createDirectory(folder.resolve("plugins"));
  }

  @Test
  void whatIsBadIsNamedWithItsCauseAndTheDemoRunsAllTheSame() throws Exception {
    Files.writeString(plugins.resolve("a-text.jar"), "no jar at all");
    ThirdParty.jar(
        plugins.resolve("b-throws.jar"),
        "poison.throwing",
        "throwing",
        List.of(),
        "public P() { throw new IllegalStateException(\"no luck today\"); }");
    ThirdParty.jar(
        plugins.resolve("c-swing.jar"), "poison.swing", "swing", List.of("java.desktop"), "");
    ThirdParty.jar(plugins.resolve("d-taken.jar"), "poison.taken", "tcp", List.of(), "");
    ThirdParty.jar(plugins.resolve("e-starts.jar"), "poison.starting", "starting", List.of(), "");

    var said = demo();

    failed(said, "a-text.jar", "zip");
    failed(said, "b-throws.jar", "no luck today");
    failed(said, "c-swing.jar", "java.desktop");
    failed(said, "c-swing.jar", "-Dimage.jdk.modules");
    failed(said, "d-taken.jar", "the id tcp is taken");
    assertTrue(said.contains("starting of poison.starting"), said);
    assertTrue(said.contains("nothing to start here"), said);
    assertTrue(said.lines().noneMatch(l -> l.strip().startsWith("at ")), said);
  }

  @Test
  void oneThatHangsIsNamedAndWhatOnePrintsLeavesStandardOutputAlone() throws Exception {
    var forEver = "try { Thread.sleep(Long.MAX_VALUE); } catch (InterruptedException e) { } ";
    ThirdParty.jar(
        plugins.resolve("a-hangs.jar"),
        "poison.hanging",
        "hanging",
        List.of(),
        "public P() { " + forEver + "}");
    ThirdParty.jar(
        plugins.resolve("b-checks.jar"),
        "poison.checking",
        "checking",
        List.of(),
        "public void validate(com.typesafe.config.Config c) { " + forEver + "}");
    ThirdParty.jar(
        plugins.resolve("c-starts.jar"),
        "poison.creating",
        "creating",
        List.of(),
        "{ System.out.println(\"a word of mine\"); }",
        forEver);

    var said = demo("--set", "plugins.load-timeout=1s");

    failed(said, "a-hangs.jar", "poison.hanging.P did not answer within 1 s");
    assertTrue(said.contains("poison.checking.P did not answer within 1 s"), said);
    assertTrue(said.contains("poison.creating.P did not answer within 1 s"), said);
    assertTrue(said.contains("a word of mine"), said);
  }

  @Test
  void nativeAccessIsForWhomConfigurationNames() throws Exception {
    for (var name : List.of("named", "other")) {
      ThirdParty.jar(
          plugins.resolve(name + ".jar"), "calls." + name, name, List.of(), CALLS_NATIVE_CODE);
    }

    var said = demo("--set", "plugins.native-access=[calls.named]");

    failed(said, "other.jar", "shunt.plugins.native-access = [calls.other]");
    // It was made, and asked to start.
    assertTrue(said.contains("named of calls.named"), said);
    assertTrue(!said.contains("calls.named]"), said);
  }

  private String demo(String... more) throws Exception {
    var arguments =
        new java.util.ArrayList<>(List.of("demo", "--size", "1MiB", "--output", "json"));
    arguments.addAll(List.of("--set", "plugins.dir=\"" + plugins + "\""));
    arguments.addAll(List.of(more));
    var ran = LinkedImage.BUILT.shunt(folder, arguments.toArray(String[]::new));
    assertEquals(0, ran.code(), ran::toString);
    assertTrue(ran.out().startsWith("{"), ran::toString);
    assertTrue(ran.out().contains("\"verified\":true"), ran::toString);
    return ran.err();
  }

  private static void failed(String said, String jar, String cause) {
    assertTrue(
        said.lines().anyMatch(l -> l.contains(jar) && l.contains("FAILED") && l.contains(cause)),
        () -> jar + " with " + cause + " is not told of in: " + said);
  }
}

package dev.shunt.runtime.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds of a plug-ins directory, on the module path and on the class path. */
abstract class DiscoveryChecks {
  @TempDir Path directory;

  Discovered find() {
    return Discovery.find(Optional.of(directory), Set.of(), Given.NONE);
  }

  Plugin of(Discovered discovered, String jar) {
    return discovered.plugins().stream()
        .filter(p -> p.origin().toString().contains(jar))
        .findFirst()
        .orElseThrow(() -> new AssertionError(jar + " is not among " + discovered.plugins()));
  }

  @Test
  void poisonedProvidersThatComeFirstAreListedAndCostNobodyElseAnything() {
    var expected = Poisons.plant(directory);
    Poisons.good("fine.one", "one").jar(directory.resolve("z-one.jar"));
    var discovered = find();
    expected.forEach(
        (jar, cause) -> {
          var plugin = of(discovered, jar);
          assertEquals(Plugin.State.FAILED, plugin.state(), plugin.describe());
          assertTrue(plugin.cause().contains(cause), () -> jar + ": " + plugin.cause());
          assertTrue(plugin.cause().lines().count() == 1, plugin::cause);
        });
    var one = discovered.transport("one").orElseThrow();
    assertEquals("1.2.3", one.version());
    assertEquals("vanilla", one.defaults().getString("shunt.transports.one.flavour"));
    assertEquals(Plugin.State.ACTIVE, of(discovered, "z-one.jar").state());
  }

  @Test
  void aPoisonedProviderDoesNotSpoilAGoodOneInTheSameJar() {
    new PluginJar("mixed.bag")
        .transport("A", "bad", "public A() { throw new IllegalStateException(\"bad\"); }")
        .transport("B", "good", "")
        .jar(directory.resolve("mixed.jar"));
    var discovered = find();
    assertTrue(discovered.transport("good").isPresent());
    assertEquals(1, discovered.failed().size(), () -> "" + discovered.plugins());
    assertTrue(discovered.failed().getFirst().id().endsWith(".A"));
  }

  @Test
  void theFirstOfAnIdStaysAndTheSecondIsListedWithBothOrigins() {
    Poisons.good("fine.one", "same").jar(directory.resolve("a.jar"));
    Poisons.good("fine.two", "same").jar(directory.resolve("b.jar"));
    var discovered = find();
    assertTrue(discovered.transport("same").orElseThrow().origin().toString().contains("a.jar"));
    var second = of(discovered, "b.jar");
    assertEquals(Plugin.State.FAILED, second.state());
    assertTrue(second.cause().contains("same") && second.cause().contains("a.jar"), second::cause);
  }

  @Test
  void aJarThatIsNoneIsListedUnderItsName() throws IOException {
    Files.writeString(directory.resolve("a.jar"), "not a jar at all");
    Poisons.good("fine.one", "one").jar(directory.resolve("z.jar"));
    var discovered = find();
    var text = of(discovered, "a.jar");
    assertEquals(Plugin.State.FAILED, text.state());
    assertTrue(text.cause().contains("zip"), text::cause);
    assertTrue(discovered.transport("one").isPresent());
  }

  @Test
  void aFolderOfClassesAndAFolderOfJarsArePluginsToo() throws IOException {
    Poisons.good("fine.one", "one").folder(Files.createDirectories(directory.resolve("classes")));
    Poisons.good("fine.two", "two")
        .jar(Files.createDirectories(directory.resolve("jars")).resolve("two.jar"));
    var discovered = find();
    assertTrue(discovered.transport("one").isPresent(), () -> "" + discovered.plugins());
    assertTrue(discovered.transport("two").isPresent(), () -> "" + discovered.plugins());
    assertEquals(List.of(), discovered.failed());
  }

  @Test
  void twoPluginsWithAClassOfTheSameNameDoNotSeeEachOther() {
    for (var name : List.of("one", "two")) {
      new PluginJar("same.module")
          .transport("P", "", "public String id() { return \"" + name + "\"; }")
          .jar(directory.resolve(name + ".jar"));
    }
    var discovered = find();
    assertTrue(discovered.transport("one").isPresent());
    assertTrue(discovered.transport("two").isPresent());
    assertEquals(
        2,
        discovered.plugins().stream()
            .filter(p -> p.origin().toString().contains(directory.toString()))
            .count());
  }

  @Test
  void aLinkThatLeadsNowhereIsListedAndComesFirst() throws IOException {
    Files.createSymbolicLink(directory.resolve("a.jar"), directory.resolve("gone"));
    Poisons.good("fine.one", "one").jar(directory.resolve("z.jar"));
    var discovered = find();
    var link = of(discovered, "a.jar");
    assertEquals(Plugin.State.FAILED, link.state());
    assertTrue(link.cause().contains("leads nowhere"), link::cause);
    assertTrue(discovered.transport("one").isPresent());
  }

  @Test
  void aJarThatEndsTooSoonIsListedAndComesFirst() throws IOException {
    var whole = Poisons.good("fine.two", "two").jar(directory.resolve("a.jar"));
    var bytes = Files.readAllBytes(whole);
    Files.write(whole, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    Poisons.good("fine.one", "one").jar(directory.resolve("z.jar"));
    var discovered = find();
    assertEquals(Plugin.State.FAILED, of(discovered, "a.jar").state());
    assertTrue(discovered.transport("one").isPresent());
  }

  @Test
  void theSameJarIsLoadedOnceAndAReplacedOneAnew() throws IOException {
    var jar = Poisons.good("fine.one", "one").jar(directory.resolve("one.jar"));
    var first = find().transport("one").orElseThrow().provider();
    var second = find().transport("one").orElseThrow().provider();
    assertSame(first.getClass(), second.getClass());
    assertNotSame(first, second, "each engine has a provider of its own");

    Files.delete(jar);
    new PluginJar("fine.one")
        .transport("Provider", "one", "public String version() { return \"2\"; }")
        .jar(jar);
    assertEquals("2", find().transport("one").orElseThrow().version());
  }

  @Test
  void aDirectoryThatIsNotThereIsRefusedByName() {
    var missing = directory.resolve("nowhere");
    var refused =
        assertThrows(
            ShuntException.class, () -> Discovery.find(Optional.of(missing), Set.of(), Given.NONE));
    assertEquals(FailureCode.CONFIGURATION, refused.code());
    assertTrue(refused.getMessage().contains("nowhere"), refused::getMessage);
  }

  @Test
  void whatIsRequiredAndFailedIsRefusedWithItsCause() {
    Poisons.plant(directory);
    Poisons.good("fine.one", "one").jar(directory.resolve("z.jar"));
    var discovered = find();
    discovered.require(List.of("one"));
    var refused =
        assertThrows(ShuntException.class, () -> discovered.require(List.of("one", "p1")));
    assertEquals(FailureCode.CONFIGURATION, refused.code());
    assertTrue(refused.getMessage().contains("p1 was not found"), refused::getMessage);
    assertTrue(refused.getMessage().contains("no luck today"), refused::getMessage);
    assertTrue(refused.getMessage().contains("a-constructor.jar"), refused::getMessage);
  }
}

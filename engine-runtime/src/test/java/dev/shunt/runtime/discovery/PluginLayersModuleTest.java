package dev.shunt.runtime.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.module.ModuleFinder;
import org.junit.jupiter.api.Test;

/** Discovery with the runtime as a module: each plug-in in a layer of its own. */
class PluginLayersModuleTest extends DiscoveryChecks {
  @Test
  void theRuntimeIsAModuleHere() {
    assertEquals("dev.shunt.runtime", Discovery.class.getModule().getName());
  }

  @Test
  void eachPluginHasALayerOfItsOwn() {
    Poisons.good("fine.one", "one").jar(directory.resolve("one.jar"));
    Poisons.good("fine.two", "two").jar(directory.resolve("two.jar"));
    var discovered = find();
    var one = discovered.transport("one").orElseThrow().provider().getClass().getModule();
    var two = discovered.transport("two").orElseThrow().provider().getClass().getModule();
    assertEquals("fine.one", one.getName());
    assertNotSame(one.getLayer(), two.getLayer());
    assertEquals("fine.one", discovered.transport("one").orElseThrow().origin().module());
  }

  @Test
  void aModuleThatTheRuntimeHasAlreadyIsNotLoadedTwice() {
    new PluginJar("org.slf4j").source("P", "class P {}").jar(directory.resolve("a.jar"));
    var plugin = of(find(), "a.jar");
    assertEquals(Plugin.State.FAILED, plugin.state());
    assertTrue(plugin.cause().contains("[org.slf4j] already"), plugin::cause);
  }

  @Test
  void aModuleThatIsMissingIsNamed() {
    new PluginJar("needs.much")
        .transport("P", "much", "")
        .requires("no.such.module")
        .jarAgainst(
            new PluginJar("no.such.module").source("Q", "class Q {}"), directory.resolve("a.jar"));
    var plugin = of(find(), "a.jar");
    assertEquals(Plugin.State.FAILED, plugin.state());
    assertTrue(plugin.cause().contains("no.such.module"), plugin::cause);
    assertTrue(plugin.cause().contains("a folder that holds them all"), plugin::cause);
  }

  @Test
  void aModuleOfTheJdkThatIsNotInUseIsExplained() {
    var module =
        ModuleFinder.ofSystem().findAll().stream()
            .map(reference -> reference.descriptor().name())
            .filter(name -> ModuleLayer.boot().findModule(name).isEmpty())
            .sorted()
            .findFirst()
            .orElseThrow();
    new PluginJar("needs.jdk")
        .transport("P", "needs", "")
        .requires(module)
        .jar(directory.resolve("a.jar"));
    Poisons.good("fine.one", "one").jar(directory.resolve("z.jar"));
    var discovered = find();
    var plugin = of(discovered, "a.jar");
    assertEquals(Plugin.State.FAILED, plugin.state());
    assertTrue(plugin.cause().endsWith("--add-modules " + module), plugin::cause);
    assertTrue(discovered.transport("one").isPresent());
  }
}

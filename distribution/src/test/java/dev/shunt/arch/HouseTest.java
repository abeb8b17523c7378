package dev.shunt.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All modules keep the rules of the house. */
class HouseTest {
  private static JavaClasses classes;

  @BeforeAll
  static void readAllModules() {
    classes = Reactor.mainClasses();
  }

  static Stream<ArchRule> rules() {
    return Stream.of(
        HouseRules.pluginsKnowTheApiOnly("dev.shunt"),
        HouseRules.pluginsDoNotKnowEachOther("dev.shunt"),
        HouseRules.theRuntimeKnowsNoPlugin("dev.shunt"),
        HouseRules.theApiStandsAlone("dev.shunt"),
        HouseRules.theApiNamesNoFabric("dev.shunt"),
        HouseRules.librariesAreLoadedForGood("dev.shunt"),
        CoreRules.usesNothingForeign(),
        CoreRules.asksNoClockAndNoChance(),
        CoreRules.keepsToOrderedCollections(),
        CoreRules.locksNothing());
  }

  @ParameterizedTest
  @MethodSource("rules")
  void everyModuleKeeps(ArchRule rule) {
    rule.check(classes);
  }

  @Test
  void noTestIsSwitchedOff() {
    HouseRules.noTestIsSwitchedOff().check(Reactor.testClasses());
  }

  @Test
  void modulesRequireAndExportWhatTheyMay() {
    List<String> wrong =
        Reactor.descriptors().values().stream()
            .flatMap(d -> ModuleRules.check(d).stream())
            .toList();

    assertEquals(List.of(), wrong);
  }

  @Test
  void servicesAreDeclaredInModuleInfoAndWrittenFromIt() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<Path, ModuleDescriptor> module : Reactor.descriptors().entrySet()) {
      Path folder = module.getKey();
      wrong.addAll(
          ModuleRules.checkServices(module.getValue(), Reactor.compiled(folder, "classes")));
      wrong.addAll(ModuleRules.checkSources(folder));
    }

    assertEquals(List.of(), wrong);
  }

  @Test
  void allModulesWereRead() {
    assertEquals(10, Reactor.folders().size());
    assertTrue(classes.contain("dev.shunt.api.Engine"));
    assertTrue(classes.contain("dev.shunt.cli.Main"));
  }
}

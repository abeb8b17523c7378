package dev.shunt.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of the house turns red over what is planted against it. */
class PlantedTest {
  private static final String PLANTED = "dev.shunt.arch.planted";
  private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(PLANTED);

  @TempDir Path folder;

  @Test
  void aPluginThatUsesTheRuntimeIsSeen() {
    assertBites(HouseRules.pluginsKnowTheApiOnly(PLANTED), "transport.one.Nosy");
  }

  @Test
  void aPluginThatUsesAnotherIsSeen() {
    assertBites(HouseRules.pluginsDoNotKnowEachOther(PLANTED), "transport.two.Neighbour");
  }

  @Test
  void aRuntimeThatUsesAPluginIsSeen() {
    assertBites(HouseRules.theRuntimeKnowsNoPlugin(PLANTED), "runtime.Partial");
  }

  @Test
  void anApiThatNeedsMoreThanJavaIsSeen() {
    assertBites(HouseRules.theApiStandsAlone(PLANTED), "api.TcpThing.logger");
  }

  @Test
  void anApiThatNamesAFabricIsSeen() {
    ArchRule rule = HouseRules.theApiNamesNoFabric(PLANTED);
    assertBites(rule, "api.TcpThing");
    assertBites(rule, "rdmaKey");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shared", "confined", "automatic", "given", "mixed", "reference"})
  void aLibraryThatCouldBeUnloadedIsSeen(String method) {
    assertBites(HouseRules.librariesAreLoadedForGood(PLANTED), "Libraries." + method + "(");
  }

  @Test
  void aLibraryThatIsLoadedForGoodIsNotBlamed() {
    String report = report(HouseRules.librariesAreLoadedForGood(PLANTED));
    assertFalse(report.contains("Libraries.global("), report);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"thread", "socket", "lock", "random", "logger", "clock", "identity", "file"})
  void aCoreThatUsesSomethingForeignIsSeen(String method) {
    assertBites(CoreRules.usesNothingForeign(), "core.Impure." + method + "(");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nanos", "millis", "instant", "uuid", "chance", "waits", "hash", "reference"})
  void aCoreThatAsksAClockOrChanceIsSeen(String method) {
    assertBites(CoreRules.asksNoClockAndNoChance(), "core.Asking." + method + "(");
  }

  @ParameterizedTest
  @ValueSource(strings = {"setOf", "mapOf", "copy", "collected"})
  void aCoreWithAnUnorderedCollectionIsSeen(String method) {
    assertBites(CoreRules.keepsToOrderedCollections(), "core.Unordered." + method + "(");
  }

  @ParameterizedTest
  @ValueSource(strings = {"method", "block"})
  void aCoreThatLocksIsSeen(String method) {
    assertBites(CoreRules.locksNothing(), "core.Locking." + method + " ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SwitchedOff.one", "SwitchedOffWhole.two"})
  void aTestThatIsSwitchedOffIsSeen(String method) {
    assertBites(HouseRules.noTestIsSwitchedOff(), method);
  }

  @Test
  void aModuleThatRequiresWhatItMayNotIsSeen() {
    ModuleDescriptor plugin =
        ModuleDescriptor.newModule("dev.shunt.transport.planted")
            .requires("dev.shunt.api")
            .requires("dev.shunt.runtime")
            .exports("dev.shunt.transport.planted")
            .build();
    ModuleDescriptor api =
        ModuleDescriptor.newModule("dev.shunt.api").requires("dev.shunt.runtime").build();

    assertEquals(
        Set.of(
            "dev.shunt.transport.planted requires dev.shunt.runtime",
            "dev.shunt.transport.planted exports dev.shunt.transport.planted"),
        Set.copyOf(ModuleRules.check(plugin)));
    assertEquals(List.of("dev.shunt.api requires dev.shunt.runtime"), ModuleRules.check(api));
  }

  @Test
  void aServiceThatIsWrittenByHandIsSeen() throws IOException {
    Path services = Files.createDirectories(folder.resolve("src/main/resources/META-INF/services"));
    Files.writeString(services.resolve("a.Service"), "a.Provider\n");

    assertEquals(1, ModuleRules.checkSources(folder).size());
  }

  @Test
  void aServiceThatWasNotWrittenIsSeen() throws IOException {
    ModuleDescriptor module =
        ModuleDescriptor.newModule("a.module").provides("a.Service", List.of("a.Provider")).build();

    assertEquals(1, ModuleRules.checkServices(module, folder).size());
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve("a.Service"), "a.Provider\n");
    assertEquals(List.of(), ModuleRules.checkServices(module, folder));
  }

  private static void assertBites(ArchRule rule, String blamed) {
    String report = report(rule);
    assertTrue(report.contains(blamed), blamed + " is not blamed in: " + report);
  }

  private static String report(ArchRule rule) {
    return rule.evaluate(CLASSES).getFailureReport().toString();
  }
}

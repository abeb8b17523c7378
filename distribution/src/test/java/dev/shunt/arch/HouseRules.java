package dev.shunt.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Rules over the classes of all modules. Each takes the package below which the house stands, so
 * that the planted one is measured by the very same rule.
 */
final class HouseRules {
  private static final Pattern FABRIC =
      Pattern.compile(
          "(?i).*(rdma|tcp|nvme|spdk|verbs|infiniband|roce|qpair).*|.*(Nof|nof[A-Z]).*");

  private HouseRules() {}

  static ArchRule pluginsKnowTheApiOnly(String house) {
    return noClasses()
        .that()
        .resideInAnyPackage(plugins(house))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(house + ".runtime..", house + ".cli..")
        .because("a plug-in compiles against engine-api and nothing else of ours")
        .allowEmptyShould(true);
  }

  static ArchRule pluginsDoNotKnowEachOther(String house) {
    return slices()
        .matching(house + ".(transport|policy|metadata).(*)..")
        .should()
        .notDependOnEachOther()
        .because("each of them may be missing from an image")
        .allowEmptyShould(true);
  }

  static ArchRule theRuntimeKnowsNoPlugin(String house) {
    return noClasses()
        .that()
        .resideInAPackage(house + ".runtime..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(plugins(house))
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage(house + ".cli..")
        .because("the runtime finds plug-ins as services")
        .allowEmptyShould(true);
  }

  static ArchRule theApiStandsAlone(String house) {
    return classes()
        .that()
        .resideInAPackage(house + ".api..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(house + ".api..", "java..", "com.typesafe.config..")
        .because("everybody compiles against it")
        .allowEmptyShould(true);
  }

  static ArchRule theApiNamesNoFabric(String house) {
    return classes()
        .that()
        .resideInAPackage(house + ".api..")
        .should(nameNoFabric())
        .because("what fabrics share is named for what it is, and what differs stays with them")
        .allowEmptyShould(true);
  }

  /**
   * Memory of a library may not go before its last caller, and only the global arena is for ever.
   */
  static ArchRule librariesAreLoadedForGood(String house) {
    return codeUnits()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(house + "..")
        .should(loadWithTheGlobalArena())
        .because("a library that is unloaded takes along the code that a late callback runs in")
        .allowEmptyShould(true);
  }

  static ArchRule noTestIsSwitchedOff() {
    return members()
        .should()
        .notBeAnnotatedWith(DISABLED)
        .andShould(beInTypesThatAreOn())
        .allowEmptyShould(true);
  }

  private static final String DISABLED = "org.junit.jupiter.api.Disabled";

  private static String[] plugins(String house) {
    return new String[] {house + ".transport..", house + ".policy..", house + ".metadata.."};
  }

  private static ArchCondition<JavaMember> beInTypesThatAreOn() {
    return new ArchCondition<>("be in types that are on") {
      @Override
      public void check(JavaMember member, ConditionEvents events) {
        if (member.getOwner().isAnnotatedWith(DISABLED)) {
          events.add(
              SimpleConditionEvent.violated(
                  member, member.getFullName() + " is in a disabled type"));
        }
      }
    };
  }

  private static ArchCondition<JavaClass> nameNoFabric() {
    return new ArchCondition<>("name no fabric") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        report(type, type, type.getSimpleName(), events);
        for (JavaMember member : type.getMembers()) {
          report(type, member, member.getName(), events);
        }
      }

      private void report(JavaClass type, HasName named, String name, ConditionEvents events) {
        if (FABRIC.matcher(name).matches()) {
          events.add(
              SimpleConditionEvent.violated(
                  type, type.getName() + " names a fabric: " + named.getName()));
        }
      }
    };
  }

  private static ArchCondition<JavaCodeUnit> loadWithTheGlobalArena() {
    return new ArchCondition<>("look libraries up with Arena.global(), taken in the same method") {
      @Override
      public void check(JavaCodeUnit unit, ConditionEvents events) {
        boolean looksUp =
            unit.getAccessesFromSelf().stream()
                    .anyMatch(a -> isTarget(a, SymbolLookup.class, "libraryLookup"))
                || unit.getMethodReferencesFromSelf().stream()
                    .anyMatch(a -> isTarget(a, SymbolLookup.class, "libraryLookup"));
        if (!looksUp) {
          return;
        }
        Set<String> arenas =
            unit.getAccessesFromSelf().stream()
                .filter(a -> a.getTargetOwner().isEquivalentTo(Arena.class))
                .map(a -> a.getTarget().getName())
                .collect(Collectors.toSet());
        if (!arenas.equals(Set.of("global"))) {
          events.add(
              SimpleConditionEvent.violated(
                  unit, unit.getFullName() + " looks a library up with arenas " + arenas));
        }
      }
    };
  }

  private static boolean isTarget(JavaAccess<?> access, Class<?> owner, String name) {
    return access.getTargetOwner().isEquivalentTo(owner)
        && access.getTarget().getName().equals(name);
  }
}

package dev.shunt.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;
import java.util.Set;

/** What may not be in a package that ends in {@code core}: all that a seed could not replay. */
final class CoreRules {
  private static final String CORE = "..core..";

  /**
   * Types that bring a thread, a clock, a socket, a lock, randomness, I/O or a logger of their own.
   */
  private static final String[] FOREIGN_PACKAGES = {
    "java.io..",
    "java.net..",
    "java.nio.channels..",
    "java.nio.file..",
    "java.util.concurrent..",
    "java.util.logging..",
    "java.util.random..",
    "org.slf4j.."
  };

  private static final Set<String> FOREIGN_TYPES =
      Set.of(
          "java.lang.ProcessBuilder",
          "java.lang.Runtime",
          "java.lang.System$Logger",
          "java.lang.Thread",
          "java.lang.ThreadLocal",
          "java.security.SecureRandom",
          "java.time.Clock",
          "java.time.InstantSource",
          "java.util.IdentityHashMap",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.util.Timer",
          "java.util.WeakHashMap");

  /** Innocent members of packages above. */
  private static final Set<String> HARMLESS_TYPES =
      Set.of("java.io.Serializable", "java.util.concurrent.TimeUnit");

  /** Calls on types that are harmless otherwise. */
  private static final Set<String> FOREIGN_CALLS =
      Set.of(
          "java.lang.Math.random",
          "java.lang.Object.notify",
          "java.lang.Object.notifyAll",
          "java.lang.Object.wait",
          "java.lang.StrictMath.random",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.getProperty",
          "java.lang.System.getenv",
          "java.lang.System.identityHashCode",
          "java.lang.System.nanoTime",
          "java.util.Collections.shuffle",
          "java.util.UUID.randomUUID");

  /** Collections whose order differs from one JVM to the next. */
  private static final Set<String> UNORDERED_CALLS =
      Set.of(
          "java.util.Map.copyOf",
          "java.util.Map.of",
          "java.util.Map.ofEntries",
          "java.util.Set.copyOf",
          "java.util.Set.of",
          "java.util.stream.Collectors.toUnmodifiableMap",
          "java.util.stream.Collectors.toUnmodifiableSet");

  private CoreRules() {}

  static ArchRule usesNothingForeign() {
    DescribedPredicate<JavaClass> foreign =
        JavaClass.Predicates.resideInAnyPackage(FOREIGN_PACKAGES)
            .or(
                describe(
                    "a type of its own time or chance", c -> FOREIGN_TYPES.contains(c.getName())))
            .and(describe("not harmless", c -> !HARMLESS_TYPES.contains(c.getName())))
            .as("brings a thread, clock, socket, lock, random, I/O or logger");
    return noClasses()
        .that()
        .resideInAPackage(CORE)
        .should()
        .dependOnClassesThat(foreign)
        .because("a core is given its events and its time, and a seed has to replay")
        .allowEmptyShould(true);
  }

  static ArchRule asksNoClockAndNoChance() {
    return noClasses()
        .that()
        .resideInAPackage(CORE)
        .should()
        .accessTargetWhere(
            describe(
                "asks a clock, chance, the process or a monitor",
                access -> FOREIGN_CALLS.contains(called(access)) || isNow(access)))
        .because("time goes in as monotonic nanoseconds, and choices as events")
        .allowEmptyShould(true);
  }

  static ArchRule keepsToOrderedCollections() {
    return noClasses()
        .that()
        .resideInAPackage(CORE)
        .should()
        .accessTargetWhere(
            describe(
                "makes a collection without a fixed order",
                access -> UNORDERED_CALLS.contains(called(access))))
        .because("their order is salted for each JVM, and a seed has to replay in another")
        .allowEmptyShould(true);
  }

  static ArchRule locksNothing() {
    return classes()
        .that()
        .resideInAPackage(CORE)
        .should(notSynchronize())
        .because("one thread owns a core")
        .allowEmptyShould(true);
  }

  private static String called(JavaAccess<?> access) {
    AccessTarget target = access.getTarget();
    return target.getOwner().getName() + "." + target.getName();
  }

  private static boolean isNow(JavaAccess<?> access) {
    return access.getTarget().getName().equals("now")
        && access.getTargetOwner().getPackageName().startsWith("java.time");
  }

  /** Looks into the instructions, where a synchronized block is all that is left of it. */
  private static ArchCondition<JavaClass> notSynchronize() {
    return new ArchCondition<>("not synchronize") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (MethodModel method : parse(type).methods()) {
          if (method.flags().has(AccessFlag.SYNCHRONIZED) || entersMonitor(method)) {
            events.add(
                SimpleConditionEvent.violated(
                    type,
                    type.getName() + "." + method.methodName().stringValue() + " synchronizes"));
          }
        }
      }
    };
  }

  private static boolean entersMonitor(MethodModel method) {
    return method
        .code()
        .map(code -> code.elementStream().anyMatch(MonitorInstruction.class::isInstance))
        .orElse(false);
  }

  private static ClassModel parse(JavaClass type) {
    try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
      return ClassFile.of().parse(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

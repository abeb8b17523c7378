package dev.shunt.cli.doctor;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** The Java runtime, the processor, memory. */
final class Machine {
  private static final int JAVA = 25;
  private static final long KIB = 1024;

  private final Kernel kernel;
  private final Function<String, String> properties;

  Machine(Kernel kernel, Function<String, String> properties) {
    this.kernel = kernel;
    this.properties = properties;
  }

  List<Finding> findings() {
    return List.of(java(), architecture(), memory(), nativeAccess());
  }

  private Finding java() {
    var version = properties.apply("java.version");
    var text = version + ", " + properties.apply("java.vendor");
    return Runtime.version().feature() >= JAVA
        ? Finding.ok("java", text)
        : Finding.fail("java", text, "Shunt needs Java " + JAVA + "; its image brings one");
  }

  private Finding architecture() {
    var arch = properties.apply("os.arch");
    var system = properties.apply("os.name");
    var text =
        system
            + " "
            + properties.apply("os.version")
            + ", "
            + arch
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors";
    if (!system.equals("Linux")) {
      return Finding.warn("machine", text, "Shunt is made for Linux and tested there");
    }
    return List.of("amd64", "x86_64", "aarch64").contains(arch)
        ? Finding.ok("machine", text)
        : Finding.warn("machine", text, "it is tested on amd64; others are on their own");
  }

  private Finding memory() {
    var heap = Runtime.getRuntime().maxMemory();
    var text =
        Amounts.bytes(heap)
            + " of heap at most"
            + available()
                .map(a -> ", " + Amounts.bytes(a) + " available on the machine")
                .orElse("");
    return available().filter(a -> a < heap).isPresent()
        ? Finding.warn(
            "memory",
            text,
            "the heap may grow beyond what there is; JDK_JAVA_OPTIONS=-Xmx512m bounds it")
        : Finding.ok("memory", text);
  }

  private Optional<Long> available() {
    return kernel
        .text("proc/meminfo")
        .flatMap(text -> text.lines().filter(line -> line.startsWith("MemAvailable:")).findFirst())
        .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB);
  }

  private Finding nativeAccess() {
    var granted = new TreeSet<String>();
    for (var module : ModuleLayer.boot().modules()) {
      if (module.getName().startsWith("dev.shunt.") && module.isNativeAccessEnabled()) {
        granted.add(module.getName());
      }
    }
    return Finding.ok(
        "native access",
        granted.isEmpty()
            ? "no module of Shunt may call native code"
            : "for " + String.join(", ", granted));
  }
}

package dev.shunt.runtime.discovery;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** The main program of a JVM whose image, or class path, holds what a test put there. */
final class PrintDiscovery {
  private PrintDiscovery() {}

  public static void main(String[] args) {
    var directory = args.length == 0 ? Optional.<Path>empty() : Optional.of(Path.of(args[0]));
    var nativeAccess = Set.of(args.length < 2 ? new String[0] : args[1].split(","));
    var discovered = Discovery.find(directory, nativeAccess, Given.NONE);
    System.out.println("runtime module: " + Discovery.class.getModule().isNamed());
    discovered.plugins().forEach(p -> System.out.println(p.describe()));
    discovered
        .active()
        .forEach(
            f -> System.out.println(f.id() + " defaults " + f.defaults().root().render(PLAIN)));
  }

  private static final com.typesafe.config.ConfigRenderOptions PLAIN =
      com.typesafe.config.ConfigRenderOptions.concise();
}

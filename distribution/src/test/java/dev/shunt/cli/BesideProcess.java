package dev.shunt.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A second process for measuring: a class of the tests, on this very JVM, image or class path. */
final class BesideProcess {
  private BesideProcess() {}

  /** Starts it; what follows the arguments there is meant for {@code shunt serve}, and not read. */
  static PeerProcess start(Class<?> program, List<String> arguments) {
    return PeerProcess.start(command(program, arguments), List.of());
  }

  /** How it is started. */
  static List<String> command(Class<?> program, List<String> arguments) {
    var home = Path.of(System.getProperty("java.home"));
    var command = new ArrayList<>(List.of(home.resolve("bin/java").toString()));
    var options = home.resolve("conf/java.options");
    if (Main.class.getModule().isNamed()) {
      if (Files.exists(options)) {
        command.add("@" + options);
      }
      command.addAll(
          List.of("--patch-module", "dev.shunt.cli=" + System.getProperty("versus.classes")));
      command.addAll(List.of("-m", "dev.shunt.cli/" + program.getName()));
    } else {
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    }
    command.addAll(arguments);
    return command;
  }
}

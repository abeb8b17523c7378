package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A second process of this program, running {@code shunt serve}. It watches the pipe that is its
 * standard input, so it ends also when this process is killed.
 */
final class PeerProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Process process;
  private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(64);
  private final Complaints complaints =
      new Complaints("shunt serve: ", line -> System.err.println(Printable.lines(line)));
  private final Thread errors;

  private PeerProcess(Process process) {
    this.process = process;
    Thread.ofPlatform().daemon().name("shunt-peer-output").start(this::read);
    errors = Thread.ofPlatform().daemon().name("shunt-peer-errors").start(this::readErrors);
  }

  /**
   * Starts it.
   *
   * @param arguments for {@code shunt serve}, besides those that tie it to this process
   */
  static PeerProcess start(List<String> arguments) {
    return start(self(), arguments);
  }

  /** Starts it by what runs {@code shunt} there. */
  static PeerProcess start(List<String> shunt, List<String> arguments) {
    var command = new ArrayList<>(shunt);
    command.addAll(List.of("serve", "--answer", "--until-eof", "--quiet"));
    command.addAll(arguments);
    try {
      return new PeerProcess(new ProcessBuilder(command).start());
    } catch (IOException e) {
      throw new ShuntException(
          FailureCode.RESOURCE, "cannot start a second process: " + e.getMessage(), e);
    }
  }

  /** How to run this program once more: from the image, from modules or from a class path. */
  static List<String> self() {
    var command = new ArrayList<String>();
    var home = Path.of(System.getProperty("java.home"));
    var launcher = home.resolve("bin/shunt");
    if (option("jdk.module.path").isEmpty()
        && Main.class.getModule().isNamed()
        && Files.isExecutable(launcher)) {
      // It knows the options for the JVM.
      return List.of(launcher.toString());
    }
    command.add(
        ProcessHandle.current().info().command().orElse(home.resolve("bin/java").toString()));
    option("jdk.module.path").ifPresent(p -> command.addAll(List.of("-p", p)));
    option("java.class.path").ifPresent(p -> command.addAll(List.of("-cp", p)));
    var module = Main.class.getModule();
    if (module.isNamed()) {
      option("jdk.module.path").ifPresent(_ -> command.add("--add-modules=ALL-MODULE-PATH"));
      command.addAll(List.of("-m", module.getName() + "/" + Main.class.getName()));
    } else {
      command.add(Main.class.getName());
    }
    return command;
  }

  private static Optional<String> option(String property) {
    return Optional.ofNullable(System.getProperty(property)).filter(p -> !p.isEmpty());
  }

  /** Its process id. */
  long pid() {
    return process.pid();
  }

  /** Waits until it serves, and gives its node's name. */
  String awaitReady(Deadline deadline) throws InterruptedException {
    while (true) {
      var left = deadline.left("starting the second process");
      var line = lines.poll(Math.min(left.toNanos(), 50_000_000L), TimeUnit.NANOSECONDS);
      if (line != null && line.startsWith("ready ")) {
        complaints.ready();
        return line.substring("ready ".length()).strip();
      }
      if (line == null && !process.isAlive() && lines.isEmpty()) {
        errors.join(PATIENCE);
        int code = process.exitValue();
        throw new ShuntException(
            failure(code),
            complaints
                .reason()
                .map(reason -> "the second process: " + reason)
                .orElse("the second process ended with " + code + " before it was ready"));
      }
    }
  }

  private static FailureCode failure(int code) {
    if (code == ExitCode.CONFIGURATION.number()) {
      return FailureCode.CONFIGURATION;
    }
    return code == ExitCode.DEFECT.number() ? FailureCode.INTERNAL : FailureCode.RESOURCE;
  }

  /** Asks it to end, waits, and ends it by force where it does not. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException _) {
      // It is gone already.
    }
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try (BufferedReader reader = process.inputReader()) {
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        // Whoever waits reads the first lines; later ones interest nobody, but the pipe must not
        // fill.
        lines.offer(line);
      }
    } catch (IOException _) {
      // The process is gone; whoever waits sees that.
    }
  }

  private void readErrors() {
    try (BufferedReader reader = process.errorReader()) {
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        complaints.accept(line);
      }
    } catch (IOException _) {
      // The process is gone; whoever waits sees that.
    }
  }
}

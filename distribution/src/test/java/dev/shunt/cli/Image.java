package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Processes that run from the linked image. */
final class Image {
  static final Path FOLDER = Path.of(System.getProperty("shunt.image"));
  static final String SHUNT = FOLDER.resolve("bin/shunt").toString();

  private Image() {}

  /** A node that serves memory, on two rails. */
  static PeerProcess serve(String memory) {
    var arguments = new ArrayList<>(List.of("--memory", memory));
    for (var value : DemoCommand.TWO_RAILS) {
      arguments.addAll(List.of("--set", value));
    }
    return PeerProcess.start(List.of(SHUNT), arguments);
  }

  /** Runs a command to its end. */
  static Ran run(Path folder, String... arguments) throws IOException, InterruptedException {
    var process = start(folder, arguments);
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), () -> List.of(arguments) + " hangs");
    } finally {
      process.destroyForcibly();
    }
    return new Ran(process.exitValue(), text(folder, "out"), text(folder, "err"));
  }

  /**
   * Starts a command with its output in files. A shell that runs the tests in the background has
   * their interrupts ignored, and so would the command.
   */
  static Process start(Path folder, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of("env", "--default-signal=INT,HUP", SHUNT));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectOutput(folder.resolve("out").toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
  }

  /** What a command that was started has written so far. */
  static String text(Path folder, String stream) throws IOException {
    var file = folder.resolve(stream);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  /** Stops a process that a test started, and waits until it stands still. */
  static void freeze(long pid) throws IOException, InterruptedException {
    signal("STOP", pid);
    await("standing still", Duration.ofSeconds(10), () -> state(pid).startsWith("T"));
  }

  private static String state(long pid) {
    try {
      var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.substring(stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a signal to a process that a test started. */
  static void signal(String name, long pid) throws IOException, InterruptedException {
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start();
    assertTrue(kill.waitFor(10, TimeUnit.SECONDS) && kill.exitValue() == 0, "kill -" + name);
  }

  /** Waits until something holds. */
  static void await(String what, Duration patience, BooleanSupplier holds)
      throws InterruptedException {
    var deadline = Deadline.in(patience);
    while (!holds.getAsBoolean()) {
      deadline.left(what);
      Thread.sleep(5);
    }
  }

  /**
   * A command that has ended.
   *
   * @param code its exit code
   * @param out standard output
   * @param err standard error
   */
  record Ran(int code, String out, String err) {}
}

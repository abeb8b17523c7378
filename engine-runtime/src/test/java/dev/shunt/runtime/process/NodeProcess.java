package dev.shunt.runtime.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link LoneNode}. */
final class NodeProcess implements AutoCloseable {
  private static final int PATIENCE = 60;

  private final Process process;
  private final Writer lines;
  private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(64);

  /** Of its control plane. */
  final String name;

  private NodeProcess(Process process) throws InterruptedException {
    this.process = process;
    lines = process.outputWriter();
    Thread.ofPlatform().daemon().start(() -> listen(process.inputReader()));
    name = answer().replaceFirst("^ready ", "");
  }

  /** Starts it, with all that this JVM has. */
  static NodeProcess start(List<String> settings) throws IOException, InterruptedException {
    return start(List.of(), _ -> true, settings);
  }

  /**
   * Starts it.
   *
   * @param before what goes before the command
   * @param has which parts of the class path it has
   */
  static NodeProcess start(List<String> before, Predicate<String> has, List<String> settings)
      throws IOException, InterruptedException {
    var path =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(has)
            .collect(Collectors.joining(File.pathSeparator));
    var command = new ArrayList<>(before);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-Dslf4j.internal.verbosity=WARN",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-cp",
            path,
            LoneNode.class.getName()));
    command.addAll(settings);
    return new NodeProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  private void listen(BufferedReader reader) {
    try (reader) {
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        answers.put(line);
      }
    } catch (IOException over) {
      // Whoever waits for an answer sees that.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String answer() throws InterruptedException {
    var answer = answers.poll(PATIENCE, TimeUnit.SECONDS);
    assertTrue(answer != null, "the node in the other process does not answer");
    return answer;
  }

  /** Has it do something. */
  String ask(String line) throws IOException, InterruptedException {
    lines.write(line + "\n");
    lines.flush();
    return answer();
  }

  /** Stops it; comes back when each of its threads stands still. */
  void freeze() throws IOException, InterruptedException {
    signal("STOP");
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
    while (!stands()) {
      assertTrue(System.nanoTime() - end < 0, "it does not stand still");
      Thread.sleep(5);
    }
  }

  private boolean stands() throws IOException {
    try (var threads = Files.newDirectoryStream(Path.of("/proc/" + process.pid() + "/task"))) {
      for (var thread : threads) {
        var stat = Files.readString(thread.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
    } catch (NoSuchFileException ended) {
      return false;
    }
    return true;
  }

  /** Lets it go on. */
  void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
    assertTrue(kill.waitFor(10, TimeUnit.SECONDS) && kill.exitValue() == 0, "kill -" + signal);
  }

  @Override
  public void close() {
    try {
      lines.close();
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException gone) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

package dev.shunt.cli.doctor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The kernel's own files. What is not there, or not readable, is not known. */
final class Kernel {
  private static final int LARGE = 1 << 16;

  private final Path root;

  /**
   * @param root the folder that holds {@code proc} and {@code sys}
   */
  Kernel(Path root) {
    this.root = root;
  }

  /** A file's text, without blanks around it. */
  Optional<String> text(String path) {
    // Some of these files give nothing to a second read, so the first one must be large.
    var buffer = new byte[LARGE];
    var text = new ByteArrayOutputStream();
    try (var in = Files.newInputStream(root.resolve(path))) {
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        text.write(buffer, 0, read);
      }
      return Optional.of(text.toString(StandardCharsets.UTF_8).strip());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** A setting such as {@code net.core.rmem_max}. */
  Optional<String> setting(String name) {
    return text("proc/sys/" + name.replace('.', '/'));
  }

  /** The same as numbers. */
  List<Long> numbers(String name) {
    return setting(name).stream()
        .flatMap(text -> List.of(text.split("\\s+")).stream())
        .filter(word -> word.matches("\\d{1,18}"))
        .map(Long::valueOf)
        .toList();
  }

  /**
   * A soft limit of this process; {@link Long#MAX_VALUE} for none.
   *
   * @param name as {@code /proc/self/limits} has it, such as {@code Max open files}
   */
  Optional<Long> limit(String name) {
    return text("proc/self/limits").stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length()).strip().split("\\s+")[0])
        .map(soft -> soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft))
        .findFirst();
  }

  /** A line of {@code /proc/self/status}, without its name. */
  Optional<String> status(String name) {
    return text("proc/self/status").stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }

  Path path(String name) {
    return root.resolve(name);
  }

  boolean exists(String path) {
    return Files.exists(root.resolve(path));
  }
}

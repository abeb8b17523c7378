package dev.shunt.runtime.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What one reading of a file, with all that it includes, may take in. Of one thread. */
final class Intake {
  /** Bytes of all files together; a cluster of a thousand nodes needs less. */
  static final int MOST_BYTES = 1 << 20;

  /** Statements of inclusion, followed or not. */
  static final int MOST_INCLUDES = 256;

  private static final Set<String> KERNELS = Set.of("proc", "sysfs", "tracefs", "debugfs");

  private int bytes;
  private int values;
  private int references;
  private int words;
  private int includes;

  /** Why a file cannot be read; empty if it can. Opens nothing, so that no pipe is waited for. */
  static Optional<String> why(Path file) {
    if (!Files.exists(file)) {
      return Optional.of("there is no such file");
    }
    if (Files.isDirectory(file)) {
      return Optional.of("is a directory; right is a HOCON file");
    }
    if (!Files.isRegularFile(file) || isOfTheKernel(file)) {
      return Optional.of(
          "is a pipe or a device, which may never end; right is a HOCON file, so put there what"
              + " comes out of it");
    }
    return Files.isReadable(file) ? Optional.empty() : Optional.of("may not be read by this user");
  }

  /** Some of those that look like files wait for what comes, as a pipe does. */
  private static boolean isOfTheKernel(Path file) {
    try {
      return KERNELS.contains(Files.getFileStore(file).type());
    } catch (IOException unknown) {
      return false;
    }
  }

  /**
   * The text of a file, or what is wrong with its size or its depth.
   *
   * @throws IOException if it cannot be read
   */
  Optional<String> text(Path file, List<Problem> problems) throws IOException {
    byte[] read;
    try (var in = Files.newInputStream(file)) {
      read = in.readNBytes(MOST_BYTES - bytes + 1);
    }
    bytes += read.length;
    if (bytes > MOST_BYTES) {
      bytes = MOST_BYTES;
      problems.add(tooMuch(file, "is too large; right is at most " + (MOST_BYTES >> 20) + "MiB"));
      return Optional.empty();
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(read)).toString();
    } catch (CharacterCodingException e) {
      problems.add(
          ConfigFile.unreadable(file + ":" + line(read), "is not in UTF-8, which is what is read"));
      return Optional.empty();
    }
    var shape = Shape.of(text);
    values += shape.values();
    references += shape.references();
    words += shape.words();
    if (shape.tooDeepAt() > 0) {
      problems.add(ConfigFile.unreadable(file + ":" + shape.tooDeepAt(), Shape.TOO_DEEP));
      return Optional.empty();
    }
    var much = Shape.tooMuch(values, references, words);
    much.ifPresent(what -> problems.add(tooMuch(file, what)));
    return much.isEmpty() ? Optional.of(text) : Optional.empty();
  }

  /** The first line that is not in UTF-8. */
  private static int line(byte[] read) {
    var in = ByteBuffer.wrap(read);
    StandardCharsets.UTF_8.newDecoder().decode(in, CharBuffer.allocate(read.length), true);
    int line = 1;
    for (int i = 0; i < in.position(); i++) {
      line += read[i] == '\n' ? 1 : 0;
    }
    return line;
  }

  private static Problem tooMuch(Path file, String what) {
    return ConfigFile.unreadable(file.toString(), what + ", with all that is included");
  }

  /** Counts one more include; false for all beyond the bound. */
  boolean mayInclude() {
    includes++;
    return includes <= MOST_INCLUDES;
  }

  /** Whether the last one was the first beyond the bound, which is worth telling. */
  boolean isFirstTooMany() {
    return includes == MOST_INCLUDES + 1;
  }
}

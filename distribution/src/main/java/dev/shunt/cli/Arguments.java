package dev.shunt.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command line as its caller wrote it. The JVM decodes it by the locale before any program
 * runs, and puts something else, without a word, for what the locale's charset has not.
 */
final class Arguments {
  private static final Path GIVEN = Path.of("/proc/self/cmdline");
  private static final char REPLACEMENT = '\ufffd';

  private Arguments() {}

  /** What is wrong with the arguments of this process, if they did not arrive as they were. */
  static Optional<String> damage(String[] args) {
    var charset = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    return damage(args, given(args.length), charset);
  }

  /**
   * Likewise.
   *
   * @param given the bytes of each, or none if nobody can tell
   */
  static Optional<String> damage(String[] args, List<byte[]> given, Charset charset) {
    for (int i = 0; i < args.length; i++) {
      boolean whole =
          given.size() == args.length
              ? isText(given.get(i), charset)
              : args[i].indexOf(REPLACEMENT) < 0;
      if (!whole) {
        return Optional.of(
            "argument "
                + (i + 1)
                + " is no text in this locale's charset, "
                + charset.name()
                + ", and would be damaged: set LC_ALL=C.UTF-8 and write it in UTF-8");
      }
    }
    return Optional.empty();
  }

  private static boolean isText(byte[] bytes, Charset charset) {
    try {
      charset
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException _) {
      return false;
    }
  }

  /** The last arguments that the process was started with: before them stand the JVM's. */
  private static List<byte[]> given(int count) {
    try {
      var parts = split(Files.readAllBytes(GIVEN));
      return parts.size() < count ? List.of() : parts.subList(parts.size() - count, parts.size());
    } catch (IOException _) {
      // Not every kernel shows it.
      return List.of();
    }
  }

  /** Each ends with a zero. */
  static List<byte[]> split(byte[] line) {
    var parts = new ArrayList<byte[]>();
    int start = 0;
    for (int i = 0; i < line.length; i++) {
      if (line[i] == 0) {
        parts.add(java.util.Arrays.copyOfRange(line, start, i));
        start = i + 1;
      }
    }
    return parts;
  }
}

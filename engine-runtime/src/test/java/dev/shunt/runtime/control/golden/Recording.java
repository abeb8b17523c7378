package dev.shunt.runtime.control.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A recorded conversation; the package's documentation says what the signs of its file mean.
 *
 * @param base where the server's memory was when it was recorded
 * @param texts by name
 * @param sections one at least
 */
public record Recording(long base, Map<String, byte[]> texts, List<Section> sections) {

  /** What a step is. */
  public enum Sign {
    /** A connection is opened. */
    OPEN,
    /** Bytes to the server. */
    TO_SERVER,
    /** Bytes from the server. */
    FROM_SERVER,
    /** Nothing comes for a while. */
    QUIET,
    /** The client ends its direction. */
    CLIENT_ENDS,
    /** The server ends its direction. */
    SERVER_ENDS,
    /** The client resets the connection. */
    CLIENT_RESETS,
    /** The server resets the connection. */
    SERVER_RESETS
  }

  /**
   * One step.
   *
   * @param line of the file
   * @param connection on which it is
   * @param refused this engine's error code where it refuses what TENT's server does; else -1
   */
  public record Step(int line, Sign sign, int connection, int refused, byte[] bytes) {}

  /** Part of a recording, with processes of its own. */
  public record Section(String title, List<Step> steps) {}

  /** Reads a file as it was recorded. */
  public static Recording load(String name) {
    return load(name, OptionalLong.empty());
  }

  /** Reads a file, with the server's memory elsewhere. */
  public static Recording load(String name, long base) {
    return load(name, OptionalLong.of(base));
  }

  private static Recording load(String name, OptionalLong base) {
    try (var stream = Recording.class.getResourceAsStream(name + ".txt")) {
      var reader = new Reader(name, base);
      new String(stream.readAllBytes(), UTF_8).lines().forEach(reader::line);
      return new Recording(reader.recorded, reader.texts, reader.sections);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The section of a title. */
  public Section section(String title) {
    return sections.stream()
        .filter(section -> section.title().equals(title))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no section \"" + title + "\""));
  }

  private static final class Reader {
    private final String name;
    private final OptionalLong base;
    private final Map<String, byte[]> texts = new TreeMap<>();
    private final List<Section> sections = new ArrayList<>();
    private long recorded;
    private int number;
    private int connection;

    Reader(String name, OptionalLong base) {
      this.name = name;
      this.base = base;
      sections.add(new Section("", new ArrayList<>()));
    }

    void line(String line) {
      number++;
      if (line.startsWith("## ")) {
        if (sections.getFirst().steps().isEmpty()) {
          sections.clear();
        }
        sections.add(new Section(line.substring(3), new ArrayList<>()));
      } else if (line.startsWith("base ")) {
        recorded = Long.decode(line.substring(5));
      } else if (line.startsWith("$")) {
        text(line.substring(1));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        step(line);
      }
    }

    private void text(String line) {
      var parts = line.split(" ", 3);
      texts.put(
          parts[0],
          parts[1].equals("=") ? parts[2].getBytes(UTF_8) : HexFormat.of().parseHex(parts[2]));
    }

    private void step(String line) {
      var sign = line.split(" ", 2)[0];
      var rest = line.substring(Math.min(line.length(), sign.length() + 1));
      switch (sign) {
        case ">" -> add(Sign.TO_SERVER, -1, rest);
        case "<" -> add(Sign.FROM_SERVER, -1, rest);
        case ">|" -> add(Sign.CLIENT_ENDS, -1, "");
        case "<|" -> add(Sign.SERVER_ENDS, -1, "");
        case ">!" -> add(Sign.CLIENT_RESETS, -1, "");
        case "<!" -> add(Sign.SERVER_RESETS, -1, "");
        case "..." -> add(Sign.QUIET, -1, "");
        case "~", "<~" -> {
          var parts = rest.split(" ", 2);
          add(Sign.FROM_SERVER, Integer.parseInt(parts[0]), parts.length < 2 ? "" : parts[1]);
        }
        default -> turn(sign);
      }
    }

    private void turn(String sign) {
      connection = Integer.parseInt(sign.substring(1));
      switch (sign.charAt(0)) {
        case '=' -> add(Sign.OPEN, -1, "");
        case '@' -> {}
        default -> throw new IllegalArgumentException(name + ":" + number + ": " + sign);
      }
    }

    private void add(Sign sign, int refused, String payload) {
      sections.getLast().steps().add(new Step(number, sign, connection, refused, bytes(payload)));
    }

    private byte[] bytes(String payload) {
      var bytes = new ByteArrayOutputStream();
      for (var item : payload.split(" ")) {
        if (item.startsWith("$")) {
          bytes.writeBytes(texts.get(item.substring(1)));
        } else if (item.startsWith("base")) {
          bytes.writeBytes(address(Long.parseLong(item.substring(4))));
        } else if (item.contains("*") || item.contains("+")) {
          var parts = item.split("[*+]");
          int first = HexFormat.fromHexDigits(parts[1]);
          for (int i = 0; i < Integer.parseInt(parts[0]); i++) {
            bytes.write(item.contains("+") ? first + i : first);
          }
        } else {
          bytes.writeBytes(HexFormat.of().parseHex(item));
        }
      }
      return bytes.toByteArray();
    }

    private byte[] address(long offset) {
      return ByteBuffer.allocate(Long.BYTES)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putLong(base.orElse(recorded) + offset)
          .array();
    }
  }
}

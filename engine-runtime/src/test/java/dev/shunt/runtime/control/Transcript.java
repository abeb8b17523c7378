package dev.shunt.runtime.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** A recorded conversation; its files say what the signs mean. */
record Transcript(List<Step> steps) {
  enum Kind {
    CONNECT,
    TO_SERVER,
    FROM_SERVER,
    CLIENT_ENDS,
    SERVER_ENDS,
    SILENCE
  }

  record Step(int line, Kind kind, byte[] bytes) {}

  static Transcript load(String name, Map<String, byte[]> known) {
    var steps = new ArrayList<Step>();
    int number = 0;
    for (var line : text(name).lines().toList()) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      var kind =
          switch (line.split(" ", 2)[0]) {
            case "=" -> Kind.CONNECT;
            case ">" -> Kind.TO_SERVER;
            case "<" -> Kind.FROM_SERVER;
            case ">|" -> Kind.CLIENT_ENDS;
            case "<|" -> Kind.SERVER_ENDS;
            case "..." -> Kind.SILENCE;
            default -> throw new IllegalArgumentException(name + ":" + number);
          };
      var payload = kind == Kind.TO_SERVER || kind == Kind.FROM_SERVER ? line.substring(2) : "";
      steps.add(new Step(number, kind, bytes(payload, known)));
    }
    return new Transcript(steps);
  }

  static String text(String name) {
    try (var stream = Transcript.class.getResourceAsStream(name)) {
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] bytes(String payload, Map<String, byte[]> known) {
    var bytes = new ByteArrayOutputStream();
    for (var item : payload.split(" ")) {
      if (item.startsWith("$")) {
        bytes.writeBytes(known.get(item.substring(1)));
      } else if (item.contains("*")) {
        var parts = item.split("\\*");
        for (int i = 0; i < Integer.parseInt(parts[0]); i++) {
          bytes.write(HexFormat.fromHexDigits(parts[1]));
        }
      } else {
        bytes.writeBytes(HexFormat.of().parseHex(item));
      }
    }
    return bytes.toByteArray();
  }
}

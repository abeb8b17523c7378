package dev.shunt.runtime.json;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/** Writes one JSON text, without blanks unless said. */
public final class JsonWriter {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().recyclerPool(JsonRecyclerPools.nonRecyclingPool()).build();

  private JsonWriter() {}

  /** The text that the body writes. */
  public static String text(Consumer<JsonGenerator> body) {
    var text = new StringWriter();
    try (var json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      body.accept(json);
    }
    return text.toString();
  }

  /** The text that the body writes, in UTF-8. */
  public static byte[] bytes(Consumer<JsonGenerator> body) {
    return text(body).getBytes(StandardCharsets.UTF_8);
  }

  /** The text that the body writes, in lines, four blanks for each level. */
  public static String lines(Consumer<JsonGenerator> body) {
    var text = text(body);
    var lines = new StringBuilder();
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char sign = text.charAt(i);
      if (quoted) {
        lines.append(sign);
        if (sign == '\\') {
          lines.append(text.charAt(++i));
        } else if (sign == '"') {
          quoted = false;
        }
        continue;
      }
      switch (sign) {
        case '"' -> {
          quoted = true;
          lines.append(sign);
        }
        case '{', '[' -> {
          lines.append(sign);
          char next = text.charAt(i + 1);
          if (next == '}' || next == ']') {
            lines.append(next);
            i++;
          } else {
            line(lines, ++depth);
          }
        }
        case '}', ']' -> {
          line(lines, --depth);
          lines.append(sign);
        }
        case ',' -> {
          lines.append(sign);
          line(lines, depth);
        }
        case ':' -> lines.append(": ");
        default -> lines.append(sign);
      }
    }
    return lines.toString();
  }

  private static void line(StringBuilder lines, int depth) {
    lines.append('\n').append("    ".repeat(depth));
  }
}

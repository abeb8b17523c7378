package dev.shunt.cli;

import java.util.Map;
import java.util.Optional;

/** Writes maps, lists, texts, numbers and truths as JSON on one line. */
final class Json {
  private Json() {}

  static String of(Object value) {
    var out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    switch (value) {
      case Map<?, ?> map -> {
        out.append('{');
        var separator = "";
        for (var entry : map.entrySet()) {
          out.append(separator);
          text(entry.getKey().toString(), out);
          out.append(':');
          write(entry.getValue(), out);
          separator = ",";
        }
        out.append('}');
      }
      case Iterable<?> list -> {
        out.append('[');
        var separator = "";
        for (var element : list) {
          out.append(separator);
          write(element, out);
          separator = ",";
        }
        out.append(']');
      }
      case Optional<?> optional when optional.isEmpty() -> out.append("null");
      case Optional<?> optional -> write(optional.get(), out);
      case Boolean truth -> out.append(truth);
      case Double number when !Double.isFinite(number) -> out.append("null");
      case Number number -> out.append(number);
      default -> text(value.toString(), out);
    }
  }

  private static void text(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (Printable.hidden(c)) {
            out.append(Printable.escaped(c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}

package dev.shunt.runtime.control.golden;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The keys of a JSON text, and the types of their values. */
final class JsonShape {
  private JsonShape() {}

  /** Two texts have the same keys with the same types if their shapes are equal. */
  static String of(String text) {
    try (var parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      return value(parser);
    }
  }

  private static String value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        var keys = new TreeMap<String, String>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          var key = parser.currentName();
          parser.nextToken();
          keys.put(key, value(parser));
        }
        yield keys.toString();
      }
      case START_ARRAY -> {
        List<String> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          elements.add(value(parser));
        }
        yield new TreeSet<>(elements).toString();
      }
      case VALUE_STRING -> "text";
      case VALUE_NUMBER_INT -> "number";
      case VALUE_NUMBER_FLOAT -> "fraction";
      case VALUE_TRUE, VALUE_FALSE -> "flag";
      default -> "null";
    };
  }
}

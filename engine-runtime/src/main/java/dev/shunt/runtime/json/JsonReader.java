package dev.shunt.runtime.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/**
 * Walks one JSON text. Each method consumes the value that it stands on and checks its type; what
 * is wrong ends in a {@link MalformedException} that names the place as a JSON pointer.
 */
public final class JsonReader {
  private static final int DEPTH = 32;
  private static final int NUMBER_DIGITS = 32;

  private final String what;
  private final JsonParser parser;

  private JsonReader(String what, JsonParser parser) {
    this.what = what;
    this.parser = parser;
  }

  /**
   * Reads a whole text in UTF-8.
   *
   * @param what names the text in errors
   * @param maxBytes longer texts are refused unread
   * @param body reads the one value of the text; called with the reader on that value
   * @throws MalformedException and nothing else, whatever the text is
   */
  public static <T> T read(String what, byte[] text, int maxBytes, Function<JsonReader, T> body) {
    bounded(what, text.length, maxBytes);
    var decoder = UTF_8.newDecoder();
    var source = ByteBuffer.wrap(text);
    var chars = CharBuffer.allocate(text.length);
    // The parser's own decoding would put a sign in place of bytes that are none.
    if (decoder.decode(source, chars, true).isError()) {
      throw new MalformedException(
          what + " is not UTF-8: byte " + source.position() + " begins no character");
    }
    return read(what, chars.flip().toString(), maxBytes, body);
  }

  /** Reads a whole text: see the other form. */
  public static <T> T read(String what, String text, int maxBytes, Function<JsonReader, T> body) {
    bounded(what, text.length(), maxBytes);
    try (var parser = factory(maxBytes).createParser(ObjectReadContext.empty(), text)) {
      var reader = new JsonReader(what, parser);
      if (parser.nextToken() == null) {
        throw new MalformedException(what + " is empty; JSON is expected");
      }
      var result = body.apply(reader);
      if (parser.nextToken() != null) {
        throw reader.malformed("more follows after the end of the value");
      }
      return result;
    } catch (MalformedException malformed) {
      throw malformed;
    } catch (JacksonException broken) {
      throw new MalformedException(
          what + " is not JSON: " + broken.getOriginalMessage() + place(broken.getLocation()),
          broken);
    } catch (RuntimeException broken) {
      // A parser that trips over a stranger's bytes must not look like a defect of the caller.
      throw new MalformedException(what + " cannot be read: " + broken, broken);
    }
  }

  private static String place(TokenStreamLocation location) {
    return location == null
        ? ""
        : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }

  private static void bounded(String what, int length, int most) {
    if (length > most) {
      throw new MalformedException(
          what + " has " + length + " bytes or more; at most " + most + " are read");
    }
  }

  private static JsonFactory factory(int maxBytes) {
    // Nothing of a stranger's text is kept: no shared buffers, no table of names.
    return JsonFactory.builder()
        .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
        .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
        .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(DEPTH)
                .maxNumberLength(NUMBER_DIGITS)
                .maxNameLength(Math.min(maxBytes, 1024))
                .maxStringLength(maxBytes)
                .maxDocumentLength(maxBytes)
                .build())
        .build();
  }

  /**
   * Reads an object.
   *
   * @param field called for each key, with the reader on its value, which it consumes
   */
  public void object(Consumer<String> field) {
    expect(JsonToken.START_OBJECT, "an object");
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      field.accept(name);
    }
  }

  /**
   * Reads an array.
   *
   * @param most more elements are an error
   * @param element called for each, with the reader on it, which it consumes
   */
  public void array(int most, Runnable element) {
    expect(JsonToken.START_ARRAY, "an array");
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (++count > most) {
        throw malformed("more than " + most + " elements");
      }
      element.run();
    }
  }

  /** Reads a string of at most so many characters. */
  public String string(int most) {
    expect(JsonToken.VALUE_STRING, "a string");
    var value = parser.getString();
    if (value.length() > most) {
      throw malformed("a string of " + value.length() + " characters; at most " + most + " fit");
    }
    return value;
  }

  /** Reads a whole number within a range. */
  public long integer(long least, long most) {
    expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
    var big = parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER;
    if (big || parser.getLongValue() < least || parser.getLongValue() > most) {
      throw malformed(parser.getString() + " is not within " + least + " and " + most);
    }
    return parser.getLongValue();
  }

  /** Reads 64 bits, written as a string of decimal digits, unsigned. */
  public long unsigned() {
    var digits = string(20);
    try {
      if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
        throw new NumberFormatException(digits);
      }
      return Long.parseUnsignedLong(digits);
    } catch (NumberFormatException notUnsigned) {
      throw malformed(
          "\"" + digits + "\" is not a string of decimal digits that gives 64 bits, unsigned");
    }
  }

  /** Reads true or false. */
  public boolean bool() {
    var token = parser.currentToken();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw malformed("true or false is expected, not " + name(token));
    }
    return token == JsonToken.VALUE_TRUE;
  }

  /**
   * Reads a value of any kind: a map in the order of its keys, a list, a text, a number, true or
   * false; an empty optional for null.
   *
   * @param most elements of a list
   */
  public Object value(int most) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        var map = new LinkedHashMap<String, Object>();
        object(key -> map.put(key, value(most)));
        yield map;
      }
      case START_ARRAY -> {
        var list = new ArrayList<Object>();
        array(most, () -> list.add(value(most)));
        yield list;
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> Optional.empty();
      case null, default -> throw malformed("a value is expected");
    };
  }

  /** Passes over a value of any kind. */
  public void skip() {
    parser.skipChildren();
  }

  /** Whether the value is a string, an object, ... */
  public boolean isObject() {
    return parser.currentToken() == JsonToken.START_OBJECT;
  }

  /** Fails unless something was found under a key of the object that was read last. */
  public <T> T required(String key, T value) {
    if (value == null) {
      throw malformed("the key \"" + key + "\" is missing");
    }
    return value;
  }

  /** An error that names the place where the reader stands. */
  public MalformedException malformed(String text) {
    var pointer = parser.streamReadContext().pathAsPointer().toString();
    return new MalformedException(what + (pointer.isEmpty() ? "" : " at " + pointer) + ": " + text);
  }

  private void expect(JsonToken expected, String words) {
    var token = parser.currentToken();
    if (token != expected) {
      throw malformed(words + " is expected, not " + name(token));
    }
  }

  private static String name(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT -> "a whole number";
      case VALUE_NUMBER_FLOAT -> "a fraction";
      case VALUE_TRUE, VALUE_FALSE -> "true or false";
      case VALUE_NULL -> "null";
      case null, default -> "the end";
    };
  }
}

package dev.shunt.runtime.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class JsonReaderTest {
  private static MalformedException refused(
      String text, java.util.function.Consumer<JsonReader> body) {
    return assertThrows(
        MalformedException.class,
        () ->
            JsonReader.read(
                "it",
                text.getBytes(UTF_8),
                1000,
                json -> {
                  body.accept(json);
                  return null;
                }));
  }

  @Test
  void whateverTheBodyThrowsComesOutAsMalformed() {
    var thrown =
        refused(
            "{}",
            json -> {
              throw new IllegalStateException("tripped");
            });
    assertTrue(thrown.getMessage().contains("tripped"), thrown.getMessage());
  }

  @Test
  void numbersKeepTheirRange() {
    long seven = JsonReader.read("it", "7", 10, json -> json.integer(0, 7));
    assertEquals(7, seven);
    refused("8", json -> json.integer(0, 7));
    refused("-1", json -> json.integer(0, 7));
    refused("7.0", json -> json.integer(0, 7));
    refused("1e1", json -> json.integer(0, 70));
    refused("18446744073709551617", json -> json.integer(0, 7));
    refused("9".repeat(100), json -> json.integer(0, Long.MAX_VALUE));
  }

  @Test
  void unsignedNumbersAreDigitsInAString() {
    long all = JsonReader.read("it", "\"18446744073709551615\"", 30, JsonReader::unsigned);
    assertEquals(-1, all);
    for (var bad :
        new String[] {"\"\"", "\"-1\"", "\"+1\"", "\"18446744073709551616\"", "1", "\"0x1\""}) {
      refused(bad, JsonReader::unsigned);
    }
  }

  @Test
  void aPlaceIsNamed() {
    var thrown =
        refused(
            "{\"a\":[{},{\"b\":1}]}",
            json -> json.object(a -> json.array(5, () -> json.object(b -> json.string(5)))));
    assertEquals("it at /a/1/b: a string is expected, not a whole number", thrown.getMessage());
  }
}

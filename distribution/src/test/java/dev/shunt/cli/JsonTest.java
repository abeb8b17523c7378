package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What programs read. */
class JsonTest {
  @Test
  void writesEveryKindOfValueOnOneLine() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("truth", true);
    map.put("whole", 1L << 40);
    map.put("part", 0.5);
    map.put("nothing", Optional.empty());
    map.put("unknown", Double.NaN);
    map.put("list", List.of("a", Map.of("b", 1)));

    assertEquals(
        "{\"truth\":true,\"whole\":1099511627776,\"part\":0.5,\"nothing\":null,\"unknown\":null,"
            + "\"list\":[\"a\",{\"b\":1}]}",
        Json.of(map));
  }

  @Test
  void escapesWhatWouldBreakAText() {
    assertEquals("\"a\\\"b\\\\c\\n\\t\\r\\u0001ä\"", Json.of("a\"b\\c\n\t\r\u0001ä"));
  }
}

package dev.shunt.runtime.json;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/** Writes one JSON text, without blanks. */
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
}

package dev.shunt.runtime.control.core;

import dev.shunt.api.Notification;
import dev.shunt.runtime.json.JsonReader;
import dev.shunt.runtime.json.JsonWriter;

/** The text of TENT's Notify. */
public final class NotifyCodec {
  private NotifyCodec() {}

  /** The text, with its keys in TENT's order. */
  public static byte[] write(Notification notification) {
    return JsonWriter.bytes(
        json -> {
          json.writeStartObject();
          json.writeStringProperty("msg", notification.message());
          json.writeStringProperty("name", notification.name());
          json.writeEndObject();
        });
  }

  /**
   * Reads a text.
   *
   * @param maxBytes longer ones are refused
   * @throws dev.shunt.runtime.json.MalformedException if it is no notification
   */
  public static Notification read(byte[] text, int maxBytes) {
    return JsonReader.read("Notify", text, maxBytes, json -> read(json, maxBytes));
  }

  private static Notification read(JsonReader json, int most) {
    var texts = new String[2];
    json.object(
        key -> {
          switch (key) {
            case "name" -> texts[0] = json.string(most);
            case "msg" -> texts[1] = json.string(most);
            default -> json.skip();
          }
        });
    return new Notification(json.required("name", texts[0]), json.required("msg", texts[1]));
  }
}

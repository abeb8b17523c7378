package dev.shunt.runtime.control.core;

import dev.shunt.runtime.json.JsonReader;
import java.util.ArrayList;
import java.util.List;

/** The text of TENT's Delegate, which asks a node to copy between itself and another one. */
public final class DelegateCodec {
  private static final int MAX_BYTES = 64 << 10;
  private static final List<String> DEMANDED =
      List.of("opcode", "source", "target_id", "target_offset", "length");

  private DelegateCodec() {}

  /**
   * Checks that a text is such a request.
   *
   * @throws dev.shunt.runtime.json.MalformedException if it is none
   */
  public static void check(byte[] text) {
    JsonReader.read("Delegate", text, MAX_BYTES, DelegateCodec::check);
  }

  private static Void check(JsonReader json) {
    var found = new ArrayList<String>();
    json.object(
        key -> {
          found.add(key);
          switch (key) {
            case "opcode" -> opcode(json);
            case "source", "target_offset", "length" -> json.integer(0, Long.MAX_VALUE);
            case "target_id" -> json.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
            default -> json.skip();
          }
        });
    for (var key : DEMANDED) {
      json.required(key, found.contains(key) ? key : null);
    }
    return null;
  }

  private static void opcode(JsonReader json) {
    var opcode = json.string(MAX_BYTES);
    if (!opcode.equals("READ") && !opcode.equals("WRITE")) {
      throw json.malformed("the opcode is neither READ nor WRITE");
    }
  }
}

package dev.shunt.runtime.control.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.shunt.runtime.json.JsonWriter;

/** Refusals in the form that TENT's callers understand: attachments of a good reply. */
public final class Refusals {
  private static final int LENGTH_AT = 8;

  private Refusals() {}

  /** For a function whose good answer is empty. */
  public static byte[] data(String function) {
    return text(function).getBytes(UTF_8);
  }

  /**
   * For a read, whose caller takes any answer of the length that it asked for as data: never of
   * that length.
   */
  public static byte[] data(String function, byte[] request) {
    var refusal = text(function);
    var asked =
        request.length >= LENGTH_AT + Long.BYTES ? LittleEndian.getLong(request, LENGTH_AT) : -1;
    return (asked == refusal.length() ? refusal + "." : refusal).getBytes(UTF_8);
  }

  /** For BootstrapRdma: whole, since a caller dies of a missing key. */
  public static byte[] bootstrap(String reason) {
    return JsonWriter.bytes(
        json -> {
          json.writeStartObject();
          json.writeStringProperty("local_gid", "");
          json.writeNumberProperty("local_lid", 0);
          json.writeStringProperty("local_nic_path", "");
          json.writeNumberProperty("notify_qp_num", 0);
          json.writeStringProperty("peer_nic_path", "");
          json.writeArrayPropertyStart("qp_num");
          json.writeEndArray();
          json.writeStringProperty("reply_msg", reason);
          json.writeEndObject();
        });
  }

  private static String text(String function) {
    return function + " failed: this node does not serve it";
  }
}

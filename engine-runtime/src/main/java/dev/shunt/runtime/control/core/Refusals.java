package dev.shunt.runtime.control.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.shunt.runtime.json.JsonWriter;

/** Refusals in the form that TENT's callers understand: attachments of a good reply. */
public final class Refusals {
  private Refusals() {}

  /** For a function whose good answer is empty. */
  public static byte[] text(String function, String reason) {
    return (function + " failed: " + reason).getBytes(UTF_8);
  }

  /**
   * For one that carries data, where none is served. Not of the length that a read asks for: its
   * caller would take it for the bytes.
   */
  public static byte[] unserved(String function, byte[] request) {
    var refusal = text(function, "this node does not serve it");
    var asked = request.length < DataCodec.HEAD ? -1 : DataCodec.length(request);
    return asked == refusal.length ? text(function, "this node does not serve it.") : refusal;
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
}

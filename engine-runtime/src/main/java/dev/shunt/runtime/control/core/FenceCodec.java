package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Refusal;
import dev.shunt.runtime.json.JsonReader;
import dev.shunt.runtime.json.JsonWriter;
import dev.shunt.runtime.json.MalformedException;

/** The texts of a Fence. */
public final class FenceCodec {
  private static final int MAX_TEXT = 16 << 10;
  private static final int MAX_ID = 64;
  private static final int MAX_REASON = 8192;
  private static final int VERSION = 1;
  private static final int ERRORS = 1;

  private FenceCodec() {}

  /** The question. */
  public static byte[] write(FenceRequest request) {
    return JsonWriter.bytes(
        json -> {
          json.writeStartObject();
          json.writeNumberProperty("version", VERSION);
          json.writeStringProperty("transport", request.transport());
          json.writeStringProperty(
              "generation", Long.toUnsignedString(request.link().generation()));
          json.writeStringProperty("attempt", Long.toUnsignedString(request.link().attempt()));
          json.writeStringProperty("expected", Long.toUnsignedString(request.expected()));
          if (request.codes()) {
            json.writeNumberProperty("errors", ERRORS);
          }
          json.writeEndObject();
        });
  }

  /**
   * Reads a question.
   *
   * @throws MalformedException if it is none
   */
  public static FenceRequest readRequest(byte[] text) {
    return JsonReader.read("Fence", text, MAX_TEXT, FenceCodec::request);
  }

  /** The answer. */
  public static byte[] write(FenceReply reply) {
    return JsonWriter.bytes(
        json -> {
          json.writeStartObject();
          json.writeNumberProperty("version", VERSION);
          switch (reply) {
            case FenceReply.Fenced fenced -> json.writeStringProperty("status", "FENCED");
            case FenceReply.Refused refused -> {
              json.writeStringProperty("status", "REFUSED");
              json.writeStringProperty("reason", refused.reason());
              refused.code().ifPresent(code -> json.writeStringProperty("code", code.name()));
            }
            case FenceReply.StaleGeneration stale -> {
              json.writeStringProperty("status", "STALE_GENERATION");
              json.writeStringProperty("generation", Long.toUnsignedString(stale.generation()));
            }
          }
          json.writeEndObject();
        });
  }

  /**
   * Reads an answer. An empty one promises nothing: it is that of a node that knows no Fence.
   *
   * @throws MalformedException if it is none
   */
  public static FenceReply readReply(byte[] text) {
    return text.length == 0
        ? new FenceReply.Refused("the peer knows no Fence")
        : JsonReader.read("the reply to Fence", text, MAX_TEXT, FenceCodec::reply);
  }

  private static final class Parts {
    String transport;
    String status;
    String reason = "no reason was given";
    Long generation;
    Long attempt;
    Long expected;
    boolean errors;
    String code = "";
  }

  private static Parts parts(JsonReader json) {
    var parts = new Parts();
    json.object(
        key -> {
          switch (key) {
            case "transport" -> parts.transport = json.string(MAX_ID);
            case "status" -> parts.status = json.string(MAX_ID);
            case "reason" -> parts.reason = json.string(MAX_REASON);
            case "generation" -> parts.generation = json.unsigned();
            case "attempt" -> parts.attempt = json.unsigned();
            case "expected" -> parts.expected = json.unsigned();
            case "errors" -> parts.errors = json.integer(0, Integer.MAX_VALUE) > 0;
            case "code" -> parts.code = json.string(MAX_ID);
            default -> json.skip();
          }
        });
    return parts;
  }

  private static FenceRequest request(JsonReader json) {
    var parts = parts(json);
    return new FenceRequest(
        json.required("transport", parts.transport),
        new LinkId(
            json.required("generation", parts.generation), json.required("attempt", parts.attempt)),
        json.required("expected", parts.expected),
        parts.errors);
  }

  private static FenceReply reply(JsonReader json) {
    var parts = parts(json);
    return switch (json.required("status", parts.status)) {
      case "FENCED" -> new FenceReply.Fenced();
      case "REFUSED" -> new FenceReply.Refused(parts.reason, Refusal.named(parts.code));
      case "STALE_GENERATION" ->
          new FenceReply.StaleGeneration(json.required("generation", parts.generation));
      default ->
          throw json.malformed(
              "status \"" + parts.status + "\" is none of FENCED, REFUSED and STALE_GENERATION");
    };
  }
}

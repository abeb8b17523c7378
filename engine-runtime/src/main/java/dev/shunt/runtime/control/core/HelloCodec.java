package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Capability.Scope;
import dev.shunt.api.spi.Refusal;
import dev.shunt.runtime.json.JsonReader;
import dev.shunt.runtime.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** The texts of a Hello. */
public final class HelloCodec {
  static final int MAX_TEXT = 256 << 10;

  private static final int MAX_NAME = 300;
  private static final int MAX_REASON = 8192;
  private static final int MAX_ID = 64;
  private static final int MAX_REQUIRES = 32;

  private HelloCodec() {}

  /** The question. */
  public static byte[] write(Hello hello) {
    return JsonWriter.bytes(
        json -> {
          json.writeStartObject();
          json.writeNumberProperty("version", hello.version());
          json.writeStringProperty("sender", hello.sender());
          json.writeStringProperty("generation", Long.toUnsignedString(hello.generation()));
          json.writeStringProperty("expected", Long.toUnsignedString(hello.expected()));
          write(json, hello.offer());
          identity(json);
          json.writeEndObject();
        });
  }

  /**
   * Reads a question.
   *
   * @throws dev.shunt.runtime.json.MalformedException if it is none
   */
  public static Hello readHello(byte[] text) {
    return JsonReader.read("Hello", text, MAX_TEXT, HelloCodec::hello);
  }

  /** The answer. */
  public static byte[] write(HelloReply reply) {
    if (reply instanceof HelloReply.Plain) {
      return new byte[0];
    }
    return JsonWriter.bytes(
        json -> {
          json.writeStartObject();
          switch (reply) {
            case HelloReply.Ok ok -> {
              head(json, ok.version(), "OK", ok.generation());
              write(json, ok.offer());
            }
            case HelloReply.StaleGeneration stale ->
                head(json, stale.version(), "STALE_GENERATION", stale.generation());
            case HelloReply.Refused refused -> {
              head(json, refused.version(), "REFUSED", refused.generation());
              json.writeStringProperty("reason", refused.reason());
              refused.code().ifPresent(code -> json.writeStringProperty("code", code.name()));
              write(json, refused.offer());
            }
            case HelloReply.Plain plain -> {}
          }
          identity(json);
          json.writeEndObject();
        });
  }

  /**
   * Reads an answer; an empty one is that of a plain peer.
   *
   * @throws dev.shunt.runtime.json.MalformedException if it is none
   */
  public static HelloReply readReply(byte[] text) {
    return text.length == 0
        ? new HelloReply.Plain()
        : JsonReader.read("the reply to Hello", text, MAX_TEXT, HelloCodec::reply);
  }

  private static void head(JsonGenerator json, int version, String status, long generation) {
    json.writeNumberProperty("version", version);
    json.writeStringProperty("status", status);
    json.writeStringProperty("generation", Long.toUnsignedString(generation));
  }

  /** Empty today: who the sender can prove to be. */
  private static void identity(JsonGenerator json) {
    json.writeObjectPropertyStart("identity");
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Offer offer) {
    json.writeArrayPropertyStart("offers");
    for (var capability : offer.capabilities()) {
      json.writeStartObject();
      json.writeStringProperty("id", capability.id());
      json.writeNumberProperty("low", capability.lowest());
      json.writeNumberProperty("high", capability.highest());
      if (capability.scope() != Scope.PEER) {
        json.writeStringProperty("scope", capability.scope().name().toLowerCase(Locale.ROOT));
      }
      if (!capability.requires().isEmpty()) {
        json.writeArrayPropertyStart("requires");
        capability.requires().forEach(json::writeString);
        json.writeEndArray();
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static final class Parts {
    Integer version;
    String sender;
    String status;
    String reason;
    String code = "";
    Long generation;
    long expected;
    Offer offer;
  }

  private static Parts parts(JsonReader json) {
    var parts = new Parts();
    json.object(
        key -> {
          switch (key) {
            case "version" -> parts.version = (int) json.integer(1, Integer.MAX_VALUE);
            case "sender" -> parts.sender = json.string(MAX_NAME);
            case "status" -> parts.status = json.string(MAX_ID);
            case "reason" -> parts.reason = json.string(MAX_REASON);
            case "code" -> parts.code = json.string(MAX_ID);
            case "generation" -> parts.generation = json.unsigned();
            case "expected" -> parts.expected = json.unsigned();
            case "offers" -> parts.offer = offer(json);
            default -> json.skip();
          }
        });
    json.required("version", parts.version);
    json.required("generation", parts.generation);
    if (parts.generation == 0) {
      throw json.malformed("generation 0; every node of ours has one");
    }
    return parts;
  }

  private static Hello hello(JsonReader json) {
    var parts = parts(json);
    return new Hello(
        parts.version,
        json.required("sender", parts.sender),
        parts.generation,
        parts.expected,
        json.required("offers", parts.offer));
  }

  private static HelloReply reply(JsonReader json) {
    var parts = parts(json);
    return switch (json.required("status", parts.status)) {
      case "OK" ->
          new HelloReply.Ok(parts.version, parts.generation, json.required("offers", parts.offer));
      case "STALE_GENERATION" -> new HelloReply.StaleGeneration(parts.version, parts.generation);
      case "REFUSED" ->
          new HelloReply.Refused(
              parts.version,
              parts.generation,
              json.required("offers", parts.offer),
              json.required("reason", parts.reason),
              Refusal.named(parts.code));
      default ->
          throw json.malformed(
              "status \"" + parts.status + "\" is none of OK, STALE_GENERATION and REFUSED");
    };
  }

  private static Offer offer(JsonReader json) {
    var capabilities = new ArrayList<Capability>();
    json.array(Offer.MOST, () -> capability(json, capabilities));
    try {
      return new Offer(capabilities);
    } catch (IllegalArgumentException wrong) {
      throw json.malformed(wrong.getMessage());
    }
  }

  private static final class CapabilityParts {
    String id;
    Integer low;
    Integer high;
    String scope = "peer";
    List<String> requires = List.of();
  }

  private static void capability(JsonReader json, List<Capability> into) {
    var parts = new CapabilityParts();
    json.object(
        key -> {
          switch (key) {
            case "id" -> parts.id = id(json);
            case "low" -> parts.low = (int) json.integer(1, Integer.MAX_VALUE);
            case "high" -> parts.high = (int) json.integer(1, Integer.MAX_VALUE);
            case "scope" -> parts.scope = json.string(MAX_ID);
            case "requires" -> {
              var ids = new ArrayList<String>();
              json.array(MAX_REQUIRES, () -> ids.add(id(json)));
              parts.requires = ids;
            }
            default -> json.skip();
          }
        });
    json.required("id", parts.id);
    json.required("low", parts.low);
    json.required("high", parts.high);
    if (parts.high < parts.low) {
      throw json.malformed(parts.id + " from version " + parts.low + " to " + parts.high);
    }
    // A scope of a later version is none that two nodes settle by Hello as we know it.
    var scope =
        switch (parts.scope) {
          case "peer" -> Scope.PEER;
          case "target" -> Scope.TARGET;
          default -> Scope.ENDPOINT;
        };
    into.add(new Capability(parts.id, parts.low, parts.high, scope, parts.requires));
  }

  private static String id(JsonReader json) {
    var id = json.string(MAX_ID);
    if (id.isEmpty() || !id.chars().allMatch(HelloCodec::idCharacter)) {
      throw json.malformed(
          "\"" + id + "\" is no id: lower-case letters, digits, dots, dashes and underscores");
    }
    return id;
  }

  private static boolean idCharacter(int c) {
    return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-';
  }
}

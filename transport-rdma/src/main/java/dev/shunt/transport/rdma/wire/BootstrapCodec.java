package dev.shunt.transport.rdma.wire;

import dev.shunt.transport.rdma.wire.BootstrapExtension.Ready;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** {@link BootstrapDesc} as JSON. */
public final class BootstrapCodec {
  /** The largest message that is read. */
  public static final int MAX_BYTES = 64 << 10;

  /** The most QPs that are read. */
  public static final int MAX_QPS = 64;

  /** The highest QP number: 24 bits. */
  private static final int MAX_QP_NUMBER = 0xff_ffff;

  /** The highest round that is read. */
  private static final int MAX_ROUND = 255;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(16)
                  .maxStringLength(4 << 10)
                  .maxNumberLength(20)
                  .build())
          .build();

  private BootstrapCodec() {}

  /** Writes it, with all keys, in TENT's order. */
  public static byte[] encode(BootstrapDesc desc) {
    var out = new ByteArrayOutputStream(512);
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty("local_gid", desc.localGid());
      json.writeNumberProperty("local_lid", desc.localLid());
      json.writeStringProperty("local_nic_path", desc.localNicPath());
      json.writeNumberProperty("notify_qp_num", desc.notifyQpNumber());
      json.writeStringProperty("peer_nic_path", desc.peerNicPath());
      json.writeArrayPropertyStart("qp_num");
      for (int number : desc.qpNumbers()) {
        json.writeNumber(number);
      }
      json.writeEndArray();
      json.writeStringProperty("reply_msg", desc.replyMessage());
      if (desc.notifyProtocol() != 0) {
        json.writeNumberProperty("notify_proto", desc.notifyProtocol());
      }
      if (desc.extension().isPresent()) {
        write(json, desc.extension().get());
      }
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  private static void write(JsonGenerator json, BootstrapExtension extension) {
    json.writeObjectPropertyStart("shunt");
    json.writeStringProperty("generation", hex(extension.generation()));
    json.writeStringProperty("peer_generation", hex(extension.peerGeneration()));
    json.writeStringProperty("attempt", hex(extension.attempt()));
    json.writeNumberProperty("mtu", extension.mtu());
    if (extension.close()) {
      json.writeBooleanProperty("close", true);
    }
    if (!extension.code().isEmpty()) {
      json.writeStringProperty("code", extension.code());
    }
    if (extension.errors()) {
      json.writeNumberProperty("errors", 1);
    }
    if (extension.round() > 0) {
      json.writeNumberProperty("round", extension.round());
    }
    if (extension.ready() != Ready.NONE) {
      json.writeBooleanProperty("ready_ack", extension.ready() == Ready.SAID);
    }
    if (extension.notifying()) {
      json.writeNumberProperty("notify", 1);
    }
    if (extension.tries()) {
      json.writeBooleanProperty("tries", true);
    }
    if (extension.context() > 0) {
      json.writeNumberProperty("context", extension.context());
    }
    json.writeEndObject();
  }

  private static String hex(long value) {
    return HexFormat.of().toHexDigits(value);
  }

  /**
   * Reads it.
   *
   * @throws BootstrapException if it is not one, or a key is missing, of another type, or out of
   *     range
   */
  public static BootstrapDesc decode(byte[] text) throws BootstrapException {
    if (text.length > MAX_BYTES) {
      throw new BootstrapException(
          text.length + " bytes; a handshake has " + MAX_BYTES + " at most");
    }
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      return new Reader(json).read();
    } catch (JacksonException e) {
      throw new BootstrapException("not valid JSON: " + e.getOriginalMessage());
    }
  }

  private static final class Reader {
    private final JsonParser json;
    private String localNicPath;
    private String peerNicPath;
    private List<Integer> qpNumbers;
    private Integer localLid;
    private String localGid;
    private String replyMessage;
    private Integer notifyQpNumber;
    private int notifyProtocol;
    private BootstrapExtension extension;

    Reader(JsonParser json) {
      this.json = json;
    }

    BootstrapDesc read() throws BootstrapException {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new BootstrapException("not a JSON object");
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        var key = json.currentName();
        json.nextToken();
        switch (key) {
          case "local_nic_path" -> localNicPath = text(key);
          case "peer_nic_path" -> peerNicPath = text(key);
          case "qp_num" -> qpNumbers = numbers(key);
          case "local_lid" -> localLid = number(key, 0xffff);
          case "local_gid" -> localGid = text(key);
          case "reply_msg" -> replyMessage = text(key);
          case "notify_qp_num" -> notifyQpNumber = number(key, MAX_QP_NUMBER);
          case "notify_proto" -> notifyProtocol = number(key, Integer.MAX_VALUE);
          case "shunt" -> extension = extension();
          default -> json.skipChildren();
        }
      }
      if (json.nextToken() != null) {
        throw new BootstrapException("something follows after the object");
      }
      return new BootstrapDesc(
          need(localNicPath, "local_nic_path"),
          need(peerNicPath, "peer_nic_path"),
          need(qpNumbers, "qp_num"),
          need(localLid, "local_lid"),
          need(localGid, "local_gid"),
          need(replyMessage, "reply_msg"),
          need(notifyQpNumber, "notify_qp_num"),
          notifyProtocol,
          Optional.ofNullable(extension));
    }

    private static <T> T need(T value, String key) throws BootstrapException {
      if (value == null) {
        throw new BootstrapException("the key " + key + " is missing");
      }
      return value;
    }

    private String text(String key) throws BootstrapException {
      if (json.currentToken() != JsonToken.VALUE_STRING) {
        throw new BootstrapException(key + " is not a string");
      }
      return json.getString();
    }

    private int number(String key, int max) throws BootstrapException {
      if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
        throw new BootstrapException(key + " is not a whole number");
      }
      long value = json.getLongValue();
      if (value < 0 || value > max) {
        throw new BootstrapException(key + " is " + value + "; it lies between 0 and " + max);
      }
      return (int) value;
    }

    private List<Integer> numbers(String key) throws BootstrapException {
      if (json.currentToken() != JsonToken.START_ARRAY) {
        throw new BootstrapException(key + " is not an array");
      }
      var numbers = new ArrayList<Integer>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        if (numbers.size() == MAX_QPS) {
          throw new BootstrapException(key + " has more than " + MAX_QPS + " entries");
        }
        numbers.add(number(key, MAX_QP_NUMBER));
      }
      return numbers;
    }

    private BootstrapExtension extension() throws BootstrapException {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        throw new BootstrapException("shunt is not an object");
      }
      Long generation = null;
      Long peerGeneration = null;
      Long attempt = null;
      Integer mtu = null;
      boolean close = false;
      String code = "";
      boolean errors = false;
      int round = 0;
      int context = 0;
      var ready = Ready.NONE;
      boolean notifying = false;
      boolean tries = false;
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        var key = json.currentName();
        json.nextToken();
        switch (key) {
          case "generation" -> generation = id(key);
          case "peer_generation" -> peerGeneration = id(key);
          case "attempt" -> attempt = id(key);
          case "mtu" -> mtu = number(key, Integer.MAX_VALUE);
          case "close" -> close = truth(key);
          case "code" -> code = text(key);
          case "errors" -> errors = number(key, Integer.MAX_VALUE) > 0;
          case "round" -> round = number(key, MAX_ROUND);
          case "notify" -> notifying = number(key, Integer.MAX_VALUE) > 0;
          case "tries" -> tries = truth(key);
          case "context" -> context = number(key, Integer.MAX_VALUE);
          case "ready_ack" -> ready = truth(key) ? Ready.SAID : Ready.EXPECTED;
          default -> json.skipChildren();
        }
      }
      return new BootstrapExtension(
          need(generation, "shunt.generation"),
          need(peerGeneration, "shunt.peer_generation"),
          need(attempt, "shunt.attempt"),
          need(mtu, "shunt.mtu"),
          close,
          code,
          errors,
          round,
          ready,
          notifying,
          context,
          tries);
    }

    private boolean truth(String key) throws BootstrapException {
      return switch (json.currentToken()) {
        case VALUE_TRUE -> true;
        case VALUE_FALSE -> false;
        default -> throw new BootstrapException("shunt." + key + " is neither true nor false");
      };
    }

    private long id(String key) throws BootstrapException {
      var digits = text(key);
      try {
        if (digits.length() == 2 * Long.BYTES) {
          return HexFormat.fromHexDigitsToLong(digits);
        }
      } catch (IllegalArgumentException e) {
        throw new BootstrapException("shunt." + key + " has something but hexadecimal digits");
      }
      throw new BootstrapException("shunt." + key + " is not of 16 hexadecimal digits");
    }
  }
}

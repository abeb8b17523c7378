package dev.shunt.runtime.descriptor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.runtime.json.JsonWriter;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/**
 * Writes descriptors: every key that a TENT reader demands, in the order in which TENT itself
 * writes them.
 */
public final class DescriptorWriter {
  private DescriptorWriter() {}

  /**
   * The text.
   *
   * @throws ShuntException with code RESOURCE if it is larger than others would read
   */
  public static String write(Descriptor descriptor, DescriptorLimits limits) {
    var text = JsonWriter.text(json -> write(json, descriptor));
    var bytes = text.getBytes(UTF_8).length;
    if (bytes > limits.maxBytes() || descriptor.buffers().size() > limits.maxBuffers()) {
      throw new ShuntException(
          FailureCode.RESOURCE,
          "the descriptor of "
              + descriptor.name()
              + " has "
              + bytes
              + " bytes with "
              + descriptor.buffers().size()
              + " buffers; peers read "
              + limits.maxBytes()
              + " and "
              + limits.maxBuffers()
              + " at most: register fewer and larger ones");
    }
    return text;
  }

  private static void write(JsonGenerator json, Descriptor descriptor) {
    json.writeStartObject();
    json.writeObjectPropertyStart("detail");
    json.writeArrayPropertyStart("buffers");
    descriptor.buffers().forEach(buffer -> buffer(json, buffer));
    json.writeEndArray();
    empty(json, "device_attrs", false);
    json.writeArrayPropertyStart("devices");
    descriptor.devices().forEach(device -> device(json, device));
    json.writeEndArray();
    if (!descriptor.topology().isEmpty()) {
      json.writeStringProperty("topology", descriptor.topology());
    }
    empty(json, "transport_attrs", true);
    json.writeEndObject();
    json.writeStringProperty("machine_id", descriptor.machineId());
    json.writeStringProperty("name", descriptor.name());
    json.writeStringProperty("rpc_server_addr", descriptor.controlAddress());
    descriptor.extension().ifPresent(extension -> extension(json, extension, descriptor.buffers()));
    json.writeStringProperty("type", "memory");
    json.writeEndObject();
  }

  private static void buffer(JsonGenerator json, DescribedBuffer buffer) {
    json.writeStartObject();
    json.writeNumberProperty("addr", buffer.address());
    json.writeBooleanProperty("internal", false);
    json.writeNumberProperty("length", buffer.length());
    json.writeStringProperty("location", buffer.location());
    json.writeStringProperty("mnnvl_handle", "");
    empty(json, "regions", true);
    json.writeArrayPropertyStart("rkey");
    buffer.rkeys().forEach(key -> json.writeNumber(key.longValue()));
    json.writeEndArray();
    json.writeStringProperty("shm_path", "");
    empty(json, "transport_attrs", true);
    json.writeArrayPropertyStart("transports");
    buffer.tentTransports().forEach(number -> json.writeNumber(number.intValue()));
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void device(JsonGenerator json, DescribedDevice device) {
    json.writeStartObject();
    json.writeStringProperty("gid", device.gid());
    json.writeNumberProperty("lid", device.lid());
    json.writeStringProperty("name", device.name());
    empty(json, "transport_attrs", true);
    json.writeEndObject();
  }

  private static void extension(
      JsonGenerator json, Extension extension, List<DescribedBuffer> buffers) {
    json.writeObjectPropertyStart("shunt");
    json.writeArrayPropertyStart("buffers");
    for (var buffer : buffers) {
      json.writeStartObject();
      json.writeStringProperty("access", buffer.access().name());
      json.writeNumberProperty("address", buffer.address());
      keys(json, buffer.keys());
      json.writeNumberProperty("length", buffer.length());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("control");
    extension.control().forEach(json::writeString);
    json.writeEndArray();
    extension.echo().ifPresent(echo -> echo(json, echo));
    json.writeStringProperty("generation", Long.toUnsignedString(extension.generation()));
    if (extension.revision() > 0) {
      json.writeNumberProperty("revision", extension.revision());
    }
    json.writeObjectPropertyStart("transports");
    extension.transports().forEach((id, transport) -> transport(json, id, transport));
    json.writeEndObject();
    json.writeNumberProperty("version", extension.version());
    json.writeEndObject();
  }

  private static void keys(JsonGenerator json, Map<String, List<Long>> all) {
    json.writeObjectPropertyStart("keys");
    all.forEach(
        (id, keys) -> {
          json.writeArrayPropertyStart(id);
          keys.forEach(key -> json.writeString(Long.toUnsignedString(key)));
          json.writeEndArray();
        });
    json.writeEndObject();
  }

  private static void echo(JsonGenerator json, DescribedEcho echo) {
    json.writeObjectPropertyStart("echo");
    json.writeNumberProperty("address", echo.address());
    keys(json, echo.keys());
    json.writeNumberProperty("length", echo.length());
    json.writeEndObject();
  }

  private static void transport(JsonGenerator json, String id, DescribedTransport transport) {
    json.writeObjectPropertyStart(id);
    json.writeArrayPropertyStart("rails");
    for (var rail : transport.rails()) {
      json.writeStartObject();
      json.writeObjectPropertyStart("attributes");
      rail.attributes().forEach(json::writeStringProperty);
      json.writeEndObject();
      if (rail.inactive()) {
        json.writeBooleanProperty("inactive", true);
      }
      json.writeStringProperty("name", rail.name());
      json.writeEndObject();
    }
    json.writeEndArray();
    topology(json, transport.topology());
    json.writeEndObject();
  }

  private static void topology(JsonGenerator json, RailMatrix matrix) {
    if (matrix.locations().isEmpty()) {
      return;
    }
    json.writeObjectPropertyStart("topology");
    matrix
        .locations()
        .forEach(
            (location, ranks) -> {
              json.writeArrayPropertyStart(location);
              for (var rank : List.of(ranks.preferred(), ranks.available())) {
                json.writeStartArray();
                rank.forEach(json::writeString);
                json.writeEndArray();
              }
              json.writeEndArray();
            });
    json.writeEndObject();
  }

  /** A TENT reader dies of an object where it has a list, and the other way round. */
  private static void empty(JsonGenerator json, String key, boolean list) {
    if (list) {
      json.writeArrayPropertyStart(key);
      json.writeEndArray();
    } else {
      json.writeObjectPropertyStart(key);
      json.writeEndObject();
    }
  }
}

package dev.shunt.runtime.descriptor;

import dev.shunt.api.Access;
import dev.shunt.runtime.json.JsonReader;
import dev.shunt.runtime.json.MalformedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the descriptors of other nodes, TENT's and ours. Keys that it does not know it passes over;
 * of those that it knows it checks types and ranges, also where it has no use for the value.
 *
 * <p>Buffers may overlap, as memory that was registered twice does. A buffer that TENT keeps for
 * itself ({@code internal}) is read like any other.
 */
public final class DescriptorReader {
  private final DescriptorLimits limits;
  private final JsonReader json;
  private String name;
  private String type;
  private String machineId = "";
  private String controlAddress;
  private Boolean detailed;
  private List<DetailReader.Buffer> buffers;
  private List<DescribedDevice> devices = List.of();
  private String topology = "";
  private ExtensionReader extension;

  private DescriptorReader(JsonReader json, DescriptorLimits limits) {
    this.json = json;
    this.limits = limits;
  }

  /**
   * Reads a text.
   *
   * @param from whose it is, for errors
   * @throws MalformedException if it is no descriptor, or too large; and nothing else
   */
  public static Descriptor read(String from, String text, DescriptorLimits limits) {
    return JsonReader.read(
        "the descriptor of " + from,
        text,
        limits.maxBytes(),
        json -> new DescriptorReader(json, limits).descriptor());
  }

  /**
   * Reads a text in UTF-8.
   *
   * @throws MalformedException if it is no descriptor, or too large; and nothing else
   */
  public static Descriptor read(String from, byte[] text, DescriptorLimits limits) {
    return JsonReader.read(
        "the descriptor of " + from,
        text,
        limits.maxBytes(),
        json -> new DescriptorReader(json, limits).descriptor());
  }

  private Descriptor descriptor() {
    json.object(this::field);
    json.required("name", name);
    if (!json.required("type", type).equals("memory")) {
      throw json.malformed("a segment of type \"" + type + "\"; only memory is read");
    }
    json.required("rpc_server_addr", controlAddress);
    json.required("detail", detailed);
    return new Descriptor(
        name,
        machineId,
        controlAddress,
        described(),
        devices,
        topology,
        Optional.ofNullable(extension).map(ExtensionReader::extension));
  }

  private void field(String key) {
    switch (key) {
      case "name" -> name = json.string(DescriptorLimits.MAX_NAME);
      case "type" -> type = json.string(DescriptorLimits.MAX_NAME);
      case "machine_id" -> machineId = json.string(DescriptorLimits.MAX_NAME);
      case "rpc_server_addr" -> controlAddress = json.string(DescriptorLimits.MAX_NAME);
      case "detail" -> {
        var detail = new DetailReader(json, limits);
        json.object(detail::field);
        detailed = true;
        buffers = json.required("buffers", detail.buffers());
        devices = detail.devices();
        topology = detail.topology();
      }
      case "shunt" -> {
        extension = new ExtensionReader(json, limits);
        extension.read();
      }
      default -> json.skip();
    }
  }

  /** What TENT's list and ours tell of each buffer, together. */
  private List<DescribedBuffer> described() {
    var all = new ArrayList<DescribedBuffer>(buffers.size());
    if (extension != null && extension.buffers().size() != buffers.size()) {
      throw json.malformed(
          "shunt.buffers has "
              + extension.buffers().size()
              + " elements, detail.buffers "
              + buffers.size()
              + "; they pair by place");
    }
    for (int i = 0; i < buffers.size(); i++) {
      all.add(described(i));
    }
    return all;
  }

  private DescribedBuffer described(int place) {
    var buffer = buffers.get(place);
    var access = Access.REMOTE_READ_WRITE;
    Map<String, List<Long>> keys = Map.of();
    if (extension != null) {
      var ours = extension.buffers().get(place);
      if (ours.address() != buffer.address() || ours.length() != buffer.length()) {
        throw json.malformed(
            "shunt.buffers["
                + place
                + "] is "
                + ours.length()
                + " bytes at "
                + ours.address()
                + ", detail.buffers["
                + place
                + "] "
                + buffer.length()
                + " at "
                + buffer.address()
                + "; they pair by place");
      }
      access = ours.access();
      keys = extension.keys(ours);
    }
    return new DescribedBuffer(
        buffer.address(),
        buffer.length(),
        access,
        buffer.location(),
        buffer.transports(),
        buffer.rkeys(),
        keys);
  }
}

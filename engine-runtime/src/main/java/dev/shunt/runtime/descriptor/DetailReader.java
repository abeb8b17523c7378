package dev.shunt.runtime.descriptor;

import dev.shunt.runtime.json.JsonReader;
import java.util.ArrayList;
import java.util.List;

/** Reads what TENT tells of a segment. */
final class DetailReader {
  private static final long MAX_U32 = 0xffff_ffffL;

  private final JsonReader json;
  private final DescriptorLimits limits;
  private List<Buffer> buffers;
  private List<DescribedDevice> devices = List.of();
  private String topology = "";

  record Buffer(
      long address, long length, String location, List<Integer> transports, List<Long> rkeys) {}

  DetailReader(JsonReader json, DescriptorLimits limits) {
    this.json = json;
    this.limits = limits;
  }

  List<Buffer> buffers() {
    return buffers;
  }

  List<DescribedDevice> devices() {
    return devices;
  }

  String topology() {
    return topology;
  }

  void field(String key) {
    switch (key) {
      case "buffers" -> {
        var read = new ArrayList<Buffer>();
        json.array(limits.maxBuffers(), () -> read.add(buffer()));
        buffers = read;
      }
      case "devices" -> {
        var read = new ArrayList<DescribedDevice>();
        json.array(DescriptorLimits.MAX_DEVICES, () -> read.add(device()));
        devices = read;
      }
      case "topology" -> topology = json.string(limits.maxBytes());
      case "device_attrs" -> json.object(attribute -> json.string(limits.maxBytes()));
      case "transport_attrs" -> attributes();
      default -> json.skip();
    }
  }

  /** TENT writes a map by number as a list of pairs. */
  private void attributes() {
    json.array(limits.maxBytes(), json::skip);
  }

  private final class BufferParts {
    Long address;
    Long length;
    String location = "";
    List<Integer> transports;
    List<Long> rkeys = List.of();

    void field(String key) {
      switch (key) {
        case "addr" -> address = json.integer(0, Long.MAX_VALUE);
        case "length" -> length = json.integer(1, Long.MAX_VALUE);
        case "location" -> location = json.string(DescriptorLimits.MAX_NAME);
        case "transports" -> {
          var numbers = new ArrayList<Integer>();
          json.array(
              DescriptorLimits.MAX_TRANSPORTS,
              () -> numbers.add((int) json.integer(0, Integer.MAX_VALUE)));
          transports = numbers;
        }
        case "rkey" -> {
          var keys = new ArrayList<Long>();
          json.array(DescriptorLimits.MAX_DEVICES, () -> keys.add(json.integer(0, MAX_U32)));
          rkeys = keys;
        }
        case "regions" -> json.array(limits.maxBytes(), json::skip);
        case "transport_attrs" -> attributes();
        case "shm_path", "mnnvl_handle" -> json.string(limits.maxBytes());
        case "internal" -> json.bool();
        default -> json.skip();
      }
    }
  }

  private Buffer buffer() {
    var parts = new BufferParts();
    json.object(parts::field);
    json.required("addr", parts.address);
    json.required("length", parts.length);
    Ranges.check(json, parts.address, parts.length);
    return new Buffer(
        parts.address,
        parts.length,
        parts.location,
        json.required("transports", parts.transports),
        parts.rkeys);
  }

  private final class DeviceParts {
    String name;
    int lid;
    String gid = "";

    void field(String key) {
      switch (key) {
        case "name" -> name = json.string(DescriptorLimits.MAX_NAME);
        case "lid" -> lid = (int) json.integer(0, 0xffff);
        case "gid" -> gid = json.string(DescriptorLimits.MAX_NAME);
        case "transport_attrs" -> attributes();
        default -> json.skip();
      }
    }
  }

  private DescribedDevice device() {
    var parts = new DeviceParts();
    json.object(parts::field);
    return new DescribedDevice(json.required("name", parts.name), parts.lid, parts.gid);
  }
}

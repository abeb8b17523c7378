package dev.shunt.runtime.descriptor;

import dev.shunt.api.Access;
import dev.shunt.runtime.json.JsonReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads our own key of a descriptor. */
final class ExtensionReader {
  private final JsonReader json;
  private final DescriptorLimits limits;
  private Integer version;
  private Long generation;
  private List<String> control;
  private Map<String, DescribedTransport> transports;
  private List<Buffer> buffers;

  record Buffer(long address, long length, Access access, Map<String, List<Long>> keys) {}

  ExtensionReader(JsonReader json, DescriptorLimits limits) {
    this.json = json;
    this.limits = limits;
  }

  void read() {
    json.object(this::field);
    json.required("version", version);
    json.required("generation", generation);
    json.required("transports", transports);
    json.required("buffers", buffers);
    if (generation == 0) {
      throw json.malformed("generation 0; every node of ours has one");
    }
    if (json.required("control", control).isEmpty()) {
      throw json.malformed("no address of the control plane; there is one at least");
    }
    buffers.forEach(this::check);
  }

  Extension extension() {
    return new Extension(version, generation, control, transports);
  }

  List<Buffer> buffers() {
    return buffers;
  }

  Map<String, List<Long>> keys(Buffer buffer) {
    return buffer.keys();
  }

  private void field(String key) {
    switch (key) {
      case "version" -> version = (int) json.integer(1, Integer.MAX_VALUE);
      case "generation" -> generation = json.unsigned();
      case "control" -> {
        var addresses = new ArrayList<String>();
        json.array(
            DescriptorLimits.MAX_CONTROL,
            () -> addresses.add(json.string(DescriptorLimits.MAX_NAME)));
        control = addresses;
      }
      case "transports" -> {
        var read = new TreeMap<String, DescribedTransport>();
        json.object(
            id -> {
              bound(read.size(), DescriptorLimits.MAX_TRANSPORTS, "transports");
              read.put(id, transport());
            });
        transports = read;
      }
      case "buffers" -> {
        var read = new ArrayList<Buffer>();
        json.array(limits.maxBuffers(), () -> read.add(buffer()));
        buffers = read;
      }
      default -> json.skip();
    }
  }

  private DescribedTransport transport() {
    var rails = new ArrayList<DescribedRail>();
    var told = new boolean[1];
    json.object(
        key -> {
          if (key.equals("rails")) {
            told[0] = true;
            json.array(DescriptorLimits.MAX_RAILS, () -> rails.add(rail()));
          } else {
            json.skip();
          }
        });
    json.required("rails", told[0] ? rails : null);
    return new DescribedTransport(rails);
  }

  private DescribedRail rail() {
    var name = new String[1];
    var attributes = new TreeMap<String, String>();
    json.object(
        key -> {
          switch (key) {
            case "name" -> name[0] = json.string(DescriptorLimits.MAX_NAME);
            case "attributes" ->
                json.object(
                    attribute -> {
                      bound(attributes.size(), DescriptorLimits.MAX_ATTRIBUTES, "attributes");
                      attributes.put(attribute, json.string(DescriptorLimits.MAX_ATTRIBUTE));
                    });
            default -> json.skip();
          }
        });
    return new DescribedRail(json.required("name", name[0]), attributes);
  }

  private final class BufferParts {
    Long address;
    Long length;
    Access access;
    final Map<String, List<Long>> keys = new TreeMap<>();

    void field(String key) {
      switch (key) {
        case "address" -> address = json.integer(0, Long.MAX_VALUE);
        case "length" -> length = json.integer(1, Long.MAX_VALUE);
        case "access" -> access = access();
        case "keys" ->
            json.object(
                id -> {
                  bound(keys.size(), DescriptorLimits.MAX_TRANSPORTS, "transports");
                  var list = new ArrayList<Long>();
                  json.array(DescriptorLimits.MAX_RAILS, () -> list.add(json.unsigned()));
                  keys.put(id, list);
                });
        default -> json.skip();
      }
    }
  }

  private Buffer buffer() {
    var parts = new BufferParts();
    json.object(parts::field);
    json.required("address", parts.address);
    json.required("length", parts.length);
    json.required("access", parts.access);
    Ranges.check(json, parts.address, parts.length);
    return new Buffer(parts.address, parts.length, parts.access, parts.keys);
  }

  private Access access() {
    var text = json.string(DescriptorLimits.MAX_NAME);
    return switch (text) {
      case "REMOTE_READ" -> Access.REMOTE_READ;
      case "REMOTE_WRITE" -> Access.REMOTE_WRITE;
      case "REMOTE_READ_WRITE" -> Access.REMOTE_READ_WRITE;
      default ->
          throw json.malformed(
              "access \"" + text + "\" is none of REMOTE_READ, REMOTE_WRITE and REMOTE_READ_WRITE");
    };
  }

  /** Keys and transports may come in any order, so this waits for both. */
  private void check(Buffer buffer) {
    buffer
        .keys()
        .forEach(
            (id, keys) -> {
              var transport = transports.get(id);
              var rails = transport == null ? 0 : transport.rails().size();
              if (transport == null || keys.size() != rails) {
                throw json.malformed(
                    "the buffer at "
                        + buffer.address()
                        + " has "
                        + keys.size()
                        + " keys for transport \""
                        + id
                        + "\", which has "
                        + rails
                        + " rails; each rail has one");
              }
            });
  }

  private void bound(int size, int most, String what) {
    if (size >= most) {
      throw json.malformed("more than " + most + " " + what);
    }
  }
}

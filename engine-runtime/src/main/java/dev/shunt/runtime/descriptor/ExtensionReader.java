package dev.shunt.runtime.descriptor;

import dev.shunt.api.Access;
import dev.shunt.runtime.json.JsonReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private long revision;
  private DescribedEcho echo;

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
    buffers.forEach(buffer -> check("the buffer at " + buffer.address(), buffer.keys()));
    if (echo != null) {
      check("echo", echo.keys());
    }
  }

  Extension extension() {
    return new Extension(
        version, generation, revision, control, transports, Optional.ofNullable(echo));
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
      case "revision" -> revision = json.integer(0, Long.MAX_VALUE);
      case "echo" -> echo = echo();
      default -> json.skip();
    }
  }

  private DescribedTransport transport() {
    var rails = new ArrayList<DescribedRail>();
    var told = new boolean[1];
    var topology = new TreeMap<String, RailMatrix.Ranks>();
    json.object(
        key -> {
          switch (key) {
            case "rails" -> {
              told[0] = true;
              json.array(DescriptorLimits.MAX_RAILS, () -> rails.add(rail()));
            }
            case "topology" ->
                json.object(
                    location -> {
                      bound(topology.size(), DescriptorLimits.MAX_LOCATIONS, "locations");
                      topology.put(location, ranks(location));
                    });
            default -> json.skip();
          }
        });
    json.required("rails", told[0] ? rails : null);
    return new DescribedTransport(rails, new RailMatrix(topology));
  }

  private RailMatrix.Ranks ranks(String location) {
    var ranks = new ArrayList<List<String>>();
    json.array(
        2,
        () -> {
          var names = new ArrayList<String>();
          json.array(
              DescriptorLimits.MAX_RAILS, () -> names.add(json.string(DescriptorLimits.MAX_NAME)));
          ranks.add(names);
        });
    if (ranks.size() != 2) {
      throw json.malformed(
          "the topology has "
              + ranks.size()
              + " lists for \""
              + location
              + "\"; right are two, of preferred and of available rails");
    }
    return new RailMatrix.Ranks(ranks.get(0), ranks.get(1));
  }

  private DescribedRail rail() {
    var name = new String[1];
    var inactive = new boolean[1];
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
            case "inactive" -> inactive[0] = json.bool();
            default -> json.skip();
          }
        });
    return new DescribedRail(json.required("name", name[0]), attributes, inactive[0]);
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
        case "keys" -> readKeys(keys);
        default -> json.skip();
      }
    }
  }

  private void readKeys(Map<String, List<Long>> keys) {
    json.object(
        id -> {
          bound(keys.size(), DescriptorLimits.MAX_TRANSPORTS, "transports");
          var list = new ArrayList<Long>();
          json.array(DescriptorLimits.MAX_RAILS, () -> list.add(json.unsigned()));
          keys.put(id, list);
        });
  }

  private DescribedEcho echo() {
    var range = new Long[2];
    var keys = new TreeMap<String, List<Long>>();
    json.object(
        key -> {
          switch (key) {
            case "address" -> range[0] = json.integer(0, Long.MAX_VALUE);
            case "length" -> range[1] = json.integer(DescribedEcho.LEAST, Long.MAX_VALUE);
            case "keys" -> readKeys(keys);
            default -> json.skip();
          }
        });
    json.required("address", range[0]);
    json.required("length", range[1]);
    Ranges.check(json, range[0], range[1]);
    return new DescribedEcho(range[0], range[1], keys);
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
  private void check(String what, Map<String, List<Long>> all) {
    all.forEach(
        (id, keys) -> {
          var transport = transports.get(id);
          var rails = transport == null ? 0 : transport.rails().size();
          if (transport == null || keys.size() != rails) {
            throw json.malformed(
                what
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

package dev.shunt.runtime.descriptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.runtime.json.JsonReader;
import java.util.ArrayList;
import java.util.List;

/** Reads a descriptor as strictly as a TENT process, which does not live to tell. */
final class TentReader {
  private TentReader() {}

  /** Reads as TENT does: every key demanded, each with the one type that it takes. */
  static void read(JsonReader json) {
    var top = new ArrayList<String>();
    json.object(
        key -> {
          top.add(key);
          switch (key) {
            case "name", "machine_id", "rpc_server_addr" -> json.string(1 << 20);
            case "type" -> assertEquals("memory", json.string(100));
            case "detail" -> tentDetail(json);
            default -> {
              assertEquals("shunt", key);
              json.skip();
            }
          }
        });
    demands(top, "name", "type", "machine_id", "rpc_server_addr", "detail");
  }

  private static void tentDetail(JsonReader json) {
    var keys = new ArrayList<String>();
    json.object(
        key -> {
          keys.add(key);
          switch (key) {
            case "device_attrs" -> json.object(attribute -> json.string(100));
            case "buffers" -> json.array(1 << 20, () -> tentBuffer(json));
            case "devices" -> json.array(1 << 20, () -> tentDevice(json));
            case "topology" -> json.string(1 << 20);
            case "transport_attrs" -> json.array(0, json::skip);
            default -> throw new AssertionError(key);
          }
        });
    demands(keys, "device_attrs", "buffers", "devices");
  }

  private static void tentBuffer(JsonReader json) {
    var keys = new ArrayList<String>();
    json.object(
        key -> {
          keys.add(key);
          switch (key) {
            case "addr", "length" -> json.integer(0, Long.MAX_VALUE);
            case "location", "shm_path", "mnnvl_handle" -> json.string(1 << 20);
            case "transports" -> json.array(100, () -> json.integer(0, Integer.MAX_VALUE));
            case "rkey" -> json.array(1 << 20, () -> json.integer(0, 0xffff_ffffL));
            case "regions", "transport_attrs" -> json.array(0, json::skip);
            case "internal" -> json.bool();
            default -> throw new AssertionError(key);
          }
        });
    demands(
        keys,
        "addr",
        "length",
        "location",
        "transports",
        "regions",
        "transport_attrs",
        "rkey",
        "shm_path",
        "mnnvl_handle",
        "internal");
  }

  private static void tentDevice(JsonReader json) {
    var keys = new ArrayList<String>();
    json.object(
        key -> {
          keys.add(key);
          switch (key) {
            case "name", "gid" -> json.string(1 << 20);
            case "lid" -> json.integer(0, 65535);
            case "transport_attrs" -> json.array(0, json::skip);
            default -> throw new AssertionError(key);
          }
        });
    demands(keys, "name", "lid", "gid", "transport_attrs");
  }

  private static void demands(List<String> there, String... keys) {
    for (var key : keys) {
      assertTrue(there.contains(key), key + " in " + there);
    }
  }
}

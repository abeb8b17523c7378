package dev.shunt.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import dev.shunt.cli.doctor.Ports;
import dev.shunt.runtime.config.EngineConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What a configuration wants of the machine, as far as it can be told from outside. */
final class Wanted {
  private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|[0-9a-fA-F:]*:.*");

  private Wanted() {}

  /** Where it listens. */
  static List<Ports.Place> places(EngineConfig config) {
    var places = new ArrayList<Ports.Place>();
    for (var address : config.control().bind()) {
      places.add(new Ports.Place("control", address, config.control().port()));
    }
    if (config.admin().enable()) {
      places.add(new Ports.Place("admin", config.admin().bind(), config.admin().port()));
    }
    config
        .transports()
        .forEach(
            (id, transport) -> {
              for (var rail : rails(transport.section())) {
                places.add(
                    new Ports.Place("transports." + id + ".rails", rail.address(), rail.port()));
              }
            });
    return places;
  }

  /** The addresses of its rails. */
  static List<String> rails(EngineConfig config) {
    return config.transports().values().stream()
        .flatMap(transport -> rails(transport.section()).stream())
        .map(Rail::address)
        .distinct()
        .toList();
  }

  /** How many connections it may have at a time. */
  static long connections(EngineConfig config) {
    long most = config.rpc().maxConnections();
    for (var transport : config.transports().values()) {
      if (transport.section().hasPath("max-inbound-streams")) {
        most +=
            transport.section().getLong("max-inbound-streams") * rails(transport.section()).size();
      }
    }
    return most;
  }

  /**
   * The same rails, each at a free port, and nothing that others find: a node that runs already is
   * neither in the way nor mistaken.
   */
  static Map<String, ConfigValue> anyPorts(EngineConfig config) {
    var values = new LinkedHashMap<String, ConfigValue>();
    values.put("control.port", ConfigValueFactory.fromAnyRef(0, "doctor"));
    values.put("admin.enable", ConfigValueFactory.fromAnyRef(false, "doctor"));
    values.put("recorder.enable", ConfigValueFactory.fromAnyRef(false, "doctor"));
    config
        .transports()
        .forEach(
            (id, transport) -> {
              if (!rails(transport.section()).isEmpty()) {
                var rails =
                    transport.section().getList("rails").stream()
                        .map(rail -> rail instanceof ConfigObject o ? o.withoutKey("port") : rail)
                        .map(ConfigValue::unwrapped)
                        .toList();
                values.put(
                    "transports." + id + ".rails", ConfigValueFactory.fromAnyRef(rails, "doctor"));
              }
            });
    return values;
  }

  private record Rail(String address, int port) {}

  private static List<Rail> rails(Config transport) {
    var rails = new ArrayList<Rail>();
    if (transport.hasPath("rails")) {
      for (var value : transport.getList("rails")) {
        var text =
            value instanceof ConfigObject object && object.containsKey("address")
                ? object.get("address").unwrapped().toString()
                : String.valueOf(value.unwrapped());
        int port =
            value instanceof ConfigObject object && object.toConfig().hasPath("port")
                ? object.toConfig().getInt("port")
                : 0;
        // A rail may be a device, too.
        if (ADDRESS.matcher(text).matches()) {
          rails.add(new Rail(text, port));
        }
      }
    }
    return rails;
  }
}

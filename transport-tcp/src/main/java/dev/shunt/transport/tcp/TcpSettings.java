package dev.shunt.transport.tcp;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The transport's configuration, checked. Sizes are bytes, times nanoseconds; what the keys mean
 * stands in {@code reference.conf}.
 */
record TcpSettings(
    List<RailSettings> rails,
    long sliceSize,
    long maxSlice,
    int depth,
    int copyLimit,
    int bufferSize,
    long handshakeTimeout,
    long progressTimeout,
    int maxStreams,
    int maxHandshakes,
    boolean strictRails) {

  /**
   * One rail's.
   *
   * @param name unique
   * @param bind where to listen and to connect from
   * @param advertise where peers connect to
   */
  record RailSettings(String name, InetSocketAddress bind, InetAddress advertise) {}

  /**
   * Reads the transport's subtree.
   *
   * @throws ConfigException with the origin of what is wrong, and what would be right
   */
  static TcpSettings of(Config config) {
    long maxSlice = size(config, "max-slice", 4 << 10, 1L << 30);
    int bufferSize = (int) size(config, "buffer-size", 1 << 10, 16 << 20);
    number(config, "lanes", 1, 64);
    return new TcpSettings(
        rails(config),
        size(config, "slice-size", 1, maxSlice),
        maxSlice,
        number(config, "depth", 1, 4096),
        (int) size(config, "copy-limit", 0, bufferSize / 2),
        bufferSize,
        time(config, "handshake-timeout", Duration.ofHours(1)),
        time(config, "inbound-progress-timeout", Duration.ofDays(1)),
        number(config, "max-inbound-streams", 1, 65536),
        number(config, "max-handshakes", 1, 65536),
        config.getBoolean("strict-rails"));
  }

  private static int number(Config config, String key, int lowest, int highest) {
    int value = config.getInt(key);
    if (value < lowest || value > highest) {
      throw outside(config, key, String.valueOf(value), lowest + " to " + highest);
    }
    return value;
  }

  private static long size(Config config, String key, long lowest, long highest) {
    long value = config.getBytes(key);
    if (value < lowest || value > highest) {
      throw outside(config, key, value + " bytes", lowest + " to " + highest + " bytes");
    }
    return value;
  }

  private static long time(Config config, String key, Duration highest) {
    var value = config.getDuration(key);
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(highest) > 0) {
      throw outside(config, key, value.toMillis() + "ms", "1ms to " + highest.toMillis() + "ms");
    }
    return value.toNanos();
  }

  private static ConfigException outside(Config config, String key, String is, String right) {
    return bad(config.getValue(key), key, is + " is out of range; right is " + right);
  }

  private static ConfigException bad(ConfigValue value, String key, String text) {
    return new ConfigException.BadValue(value.origin(), key, text);
  }

  private static List<RailSettings> rails(Config config) {
    var rails = new ArrayList<RailSettings>();
    var names = new HashSet<String>();
    for (var entry : config.getList("rails")) {
      var rail = rail(entry);
      if (!names.add(rail.name())) {
        throw bad(entry, "rails", "two rails are called " + rail.name() + "; set another name");
      }
      rails.add(rail);
    }
    if (rails.isEmpty()) {
      throw bad(config.getValue("rails"), "rails", "no rail; at least one address is needed");
    }
    return List.copyOf(rails);
  }

  private static RailSettings rail(ConfigValue entry) {
    if (entry.valueType() == ConfigValueType.STRING) {
      var text = (String) entry.unwrapped();
      return rail(entry, text, text, 0, text);
    }
    if (entry.valueType() != ConfigValueType.OBJECT) {
      throw bad(entry, "rails", "a rail is an IP address, or an object with an address");
    }
    var object = entry.atKey("rail").getConfig("rail");
    for (var key : object.root().keySet()) {
      if (!List.of("address", "name", "port", "advertise").contains(key)) {
        throw bad(
            entry, "rails", "a rail has no " + key + "; it has address, name, port, advertise");
      }
    }
    if (!object.hasPath("address")) {
      throw bad(entry, "rails", "a rail without an address");
    }
    var address = object.getString("address");
    int port = object.hasPath("port") ? number(object, "port", 0, 65535) : 0;
    var name = object.hasPath("name") ? object.getString("name") : address;
    var advertise = object.hasPath("advertise") ? object.getString("advertise") : address;
    return rail(entry, name, address, port, advertise);
  }

  private static RailSettings rail(
      ConfigValue entry, String name, String address, int port, String advertise) {
    var seen = literal(entry, advertise);
    if (seen.isAnyLocalAddress()) {
      throw bad(
          entry, "rails", advertise + " means any address; set advertise to one peers can reach");
    }
    if (name.isBlank()) {
      throw bad(entry, "rails", "a rail with an empty name");
    }
    return new RailSettings(name, new InetSocketAddress(literal(entry, address), port), seen);
  }

  private static InetAddress literal(ConfigValue entry, String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      throw new ConfigException.BadValue(
          entry.origin(), "rails", "'" + text + "' is no IP address; names are not looked up", e);
    }
  }
}

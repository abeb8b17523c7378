package dev.shunt.transport.tcp;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import dev.shunt.transport.tcp.core.Answer;
import dev.shunt.transport.tcp.core.Frame;
import dev.shunt.transport.tcp.core.Preamble;
import dev.shunt.transport.tcp.core.StreamLimits;
import dev.shunt.transport.tcp.links.LinkSource;
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
    int streams,
    long mergeLimit,
    long turn,
    long keepAliveInterval,
    long keepAliveTimeout,
    long connectTimeout,
    long handshakeTimeout,
    long progressTimeout,
    int maxStreams,
    int maxHandshakes,
    PeerLimits peers,
    LinkEvents linkEvents,
    boolean strictRails) {
  /**
   * What one peer may have of a rail.
   *
   * @param streams that it may have
   * @param requests that all of them together may leave unanswered
   * @param bytes that their longest payloads may come to
   */
  record PeerLimits(int streams, int requests, long bytes) {}

  /**
   * How links are watched.
   *
   * @param watched whether they are
   * @param kernel whether the kernel tells, where it can
   * @param pollInterval nanoseconds
   */
  record LinkEvents(boolean watched, boolean kernel, long pollInterval) {}

  /**
   * One rail's.
   *
   * @param name unique
   * @param bind where to listen and to connect from
   * @param advertise where peers connect to: an IP address without a zone, or a name
   */
  record RailSettings(String name, InetSocketAddress bind, String advertise) {}

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
        number(config, "streams", 1, Preamble.STREAMS),
        size(config, "merge-limit", 0, 1L << 30),
        size(config, "turn-bytes", 4 << 10, 1L << 30),
        time(config, "keep-alive-interval", Duration.ZERO, Duration.ofDays(1)),
        time(config, "keep-alive-timeout", Duration.ofHours(1)),
        time(config, "connect-timeout", Duration.ofHours(1)),
        time(config, "handshake-timeout", Duration.ofHours(1)),
        time(config, "inbound-progress-timeout", Duration.ofDays(1)),
        number(config, "max-inbound-streams", 1, 65536),
        number(config, "max-handshakes", 1, 65536),
        new PeerLimits(
            number(config, "max-peer-streams", 1, 65536),
            number(config, "max-peer-requests", 1, 1 << 24),
            size(config, "max-peer-bytes", maxSlice, 1L << 50)),
        linkEvents(config),
        config.getBoolean("strict-rails"));
  }

  private static LinkEvents linkEvents(Config config) {
    var key = "link-events";
    var how = config.getString(key);
    if (!List.of("kernel", "poll", "off").contains(how)) {
      throw bad(
          config.getValue(key), key, "'" + how + "' is not known; right is kernel, poll or off");
    }
    return new LinkEvents(
        !how.equals("off"),
        how.equals("kernel"),
        time(config, "link-poll-interval", Duration.ofHours(1)));
  }

  /** Where the links of this machine are watched. */
  LinkSource links() {
    return linkEvents.watched()
        ? LinkSource.system(linkEvents.kernel(), linkEvents.pollInterval())
        : LinkSource.none();
  }

  /** How a stream works on which two nodes agreed. */
  StreamLimits limits(Preamble asked, Answer granted) {
    return new StreamLimits(
        asked.version(),
        granted.depth(),
        granted.longest(),
        copyLimit,
        mergeLimit,
        turn,
        (granted.flags() & Frame.CHECKSUM) != 0);
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
    return time(config, key, Duration.ofMillis(1), highest);
  }

  private static long time(Config config, String key, Duration lowest, Duration highest) {
    var value = config.getDuration(key);
    if (value.compareTo(lowest) < 0 || value.compareTo(highest) > 0) {
      throw outside(
          config,
          key,
          value.toMillis() + "ms",
          lowest.toMillis() + "ms to " + highest.toMillis() + "ms");
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
    var bind = literal(entry, address);
    if (name.isBlank()) {
      throw bad(entry, "rails", "a rail with an empty name");
    }
    return new RailSettings(
        name, new InetSocketAddress(bind, port), advertised(entry, bind, advertise));
  }

  private static String advertised(ConfigValue entry, InetAddress bind, String advertise) {
    var seen = RemoteAddress.literal(advertise);
    if (seen.isEmpty() && !RemoteAddress.isName(advertise)) {
      throw bad(entry, "rails", "'" + advertise + "' is neither an IP address nor a host's name");
    }
    if (seen.filter(InetAddress::isAnyLocalAddress).isPresent()) {
      throw bad(
          entry, "rails", advertise + " means any address; set advertise to one peers can reach");
    }
    if (seen.isPresent() && !bind.isAnyLocalAddress() && bind.getClass() != seen.get().getClass()) {
      throw bad(
          entry, "rails", advertise + " and " + bind.getHostAddress() + " are of two families");
    }
    return seen.map(RemoteAddress::withoutZone).orElse(advertise);
  }

  private static InetAddress literal(ConfigValue entry, String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      throw new ConfigException.BadValue(
          entry.origin(),
          "rails",
          "'"
              + text
              + "' is no IP address; a rail is bound to one, and only advertise may be a name",
          e);
    }
  }
}

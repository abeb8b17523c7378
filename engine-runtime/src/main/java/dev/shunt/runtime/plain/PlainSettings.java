package dev.shunt.runtime.plain;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.runtime.control.core.DataCodec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The transport's configuration, checked; what the keys mean stands in {@code reference.conf}.
 *
 * @param rails where to connect from, at least one
 * @param sliceSize bytes of one SendData or RecvData, at most
 * @param connections how many there are to one peer
 * @param depth requests that one connection carries at once
 * @param idleTimeout nanoseconds after which a connection that nothing is asked on is closed
 */
record PlainSettings(
    List<PlainRail> rails, long sliceSize, int connections, int depth, long idleTimeout) {
  private static final int MOST_CONNECTIONS = 64;
  private static final int MOST_DEPTH = 256;
  private static final Duration LEAST_IDLE = Duration.ofMillis(100);
  private static final Duration MOST_IDLE = Duration.ofDays(1);

  /**
   * Reads the transport's subtree.
   *
   * @throws ConfigException with the origin of what is wrong, and what would be right
   */
  static PlainSettings of(Config config) {
    long slice = config.getBytes("slice-size");
    if (slice < 1 || slice > DataCodec.MAX_RECEIVED) {
      throw bad(config, "slice-size", slice + " bytes", "1 byte to 1 GiB: TENT reads no more");
    }
    return new PlainSettings(
        rails(config),
        slice,
        number(config, "connections", MOST_CONNECTIONS),
        number(config, "depth", MOST_DEPTH),
        idleTimeout(config));
  }

  private static long idleTimeout(Config config) {
    var timeout = config.getDuration("idle-timeout");
    if (timeout.compareTo(LEAST_IDLE) < 0 || timeout.compareTo(MOST_IDLE) > 0) {
      throw bad(config, "idle-timeout", timeout.toMillis() + " ms", "100ms to 1d");
    }
    return timeout.toNanos();
  }

  private static int number(Config config, String key, int highest) {
    int value = config.getInt(key);
    if (value < 1 || value > highest) {
      throw bad(config, key, String.valueOf(value), "1 to " + highest);
    }
    return value;
  }

  private static List<PlainRail> rails(Config config) {
    var addresses = config.getStringList("rails");
    if (addresses.isEmpty()) {
      return List.of(new PlainRail("any", 0, new InetSocketAddress(0)));
    }
    var rails = new ArrayList<PlainRail>();
    var names = new HashSet<String>();
    for (var address : addresses) {
      if (!names.add(address)) {
        throw bad(config, "rails", address + " twice", "each local address once");
      }
      rails.add(new PlainRail(address, rails.size(), literal(config, address)));
    }
    return List.copyOf(rails);
  }

  private static InetSocketAddress literal(Config config, String address) {
    try {
      return new InetSocketAddress(InetAddress.ofLiteral(address), 0);
    } catch (IllegalArgumentException name) {
      throw bad(config, "rails", "'" + address + "'", "an IP address of this machine");
    }
  }

  private static ConfigException bad(Config config, String key, String is, String right) {
    return new ConfigException.BadValue(
        config.getValue(key).origin(), key, is + " is out of range; right is " + right);
  }
}

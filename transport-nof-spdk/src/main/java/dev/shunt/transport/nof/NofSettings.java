package dev.shunt.transport.nof;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.transport.nof.core.QueueSetup;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * What {@code shunt.transports.nof} says. Times in nanoseconds.
 *
 * @param rails local addresses; none for one rail with whatever address the system chooses
 * @param pollInterval effective: a quarter of the keep-alive timeout unless set
 * @param host how this node names itself to targets
 */
record NofSettings(
    List<String> rails,
    boolean strictRails,
    long sliceSize,
    long maxSlice,
    long keepAlive,
    long pollInterval,
    int ioQueues,
    int ioQueueSize,
    int adminQueueSize,
    long connectTimeout,
    long commandTimeout,
    boolean headerDigest,
    boolean dataDigest,
    int maxControllers,
    QueueSetup.Host host) {
  private static final long MILLIS = 1_000_000;
  private static final long HOUR = 3600 * 1000 * MILLIS;

  /**
   * Reads and checks a subtree.
   *
   * @param node names the host where no {@code host-nqn} is set
   * @throws ConfigException with the place and what would be right
   */
  static NofSettings of(Config config, String node) {
    long keepAlive = config.getDuration("keep-alive-timeout").toNanos();
    if (keepAlive != 0) {
      time(config, "keep-alive-timeout", 100 * MILLIS, 24 * HOUR);
    }
    long poll = config.getDuration("admin-poll-interval").toNanos();
    if (poll < 0 || keepAlive > 0 && poll > keepAlive / 4) {
      throw wrong(
          config,
          "admin-poll-interval",
          "is above a quarter of keep-alive-timeout: a keep-alive could come too late");
    }
    if (poll == 0) {
      poll = keepAlive > 0 ? keepAlive / 4 : 1000 * MILLIS;
    }
    long sliceSize = size(config, "slice-size", 512, 1L << 30);
    long maxSlice = size(config, "max-slice", sliceSize, 1L << 30);
    return new NofSettings(
        List.copyOf(config.getStringList("rails")),
        config.getBoolean("strict-rails"),
        sliceSize,
        maxSlice,
        keepAlive,
        poll,
        number(config, "num-io-queues", 1, 1024),
        number(config, "io-queue-size", 2, QueueSetup.MAX_ENTRIES),
        number(config, "admin-queue-size", 8, QueueSetup.MAX_ENTRIES),
        time(config, "fabrics-connect-timeout", MILLIS, HOUR),
        time(config, "command-timeout", MILLIS, 24 * HOUR),
        config.getBoolean("header-digest"),
        config.getBoolean("data-digest"),
        number(config, "max-controllers", 1, 4096),
        host(config, node));
  }

  /** The id follows from the name: the same host, the same id, after a restart too. */
  private static QueueSetup.Host host(Config config, String node) {
    var nqn = config.getString("host-nqn");
    if (nqn.isEmpty()) {
      var id = UUID.nameUUIDFromBytes(("shunt node " + node).getBytes(StandardCharsets.UTF_8));
      nqn = "nqn.2014-08.org.nvmexpress:uuid:" + id;
    }
    boolean plain = nqn.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (!nqn.startsWith("nqn.") || nqn.length() > 223 || !plain) {
      throw wrong(config, "host-nqn", "is no NQN: nqn. and at most 219 plain characters");
    }
    var bytes = nqn.getBytes(StandardCharsets.US_ASCII);
    var id = UUID.nameUUIDFromBytes(bytes);
    return new QueueSetup.Host(id.getMostSignificantBits(), id.getLeastSignificantBits(), bytes);
  }

  private static int number(Config config, String key, int least, int most) {
    int value = config.getInt(key);
    if (value < least || value > most) {
      throw wrong(config, key, "is " + value + ", not " + least + " to " + most);
    }
    return value;
  }

  private static long size(Config config, String key, long least, long most) {
    long value = config.getBytes(key);
    if (value < least || value > most || value % 512 != 0) {
      throw wrong(
          config,
          key,
          "is " + value + " bytes, not a multiple of 512 from " + least + " to " + most);
    }
    return value;
  }

  private static long time(Config config, String key, long least, long most) {
    long value = config.getDuration(key).toNanos();
    if (value < least || value > most) {
      throw wrong(
          config,
          key,
          "is " + value / MILLIS + " ms, not " + least / MILLIS + " to " + most / MILLIS);
    }
    return value;
  }

  private static ConfigException wrong(Config config, String key, String what) {
    return new ConfigException.BadValue(config.getValue(key).origin(), key, what);
  }
}

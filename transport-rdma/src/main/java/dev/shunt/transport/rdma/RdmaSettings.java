package dev.shunt.transport.rdma;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.transport.rdma.core.VendorTable;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** The transport's subtree, checked. */
record RdmaSettings(
    boolean strictRails,
    long sliceSize,
    long maxSlice,
    List<String> devices,
    int gidIndex,
    int maxCqe,
    boolean relaxedOrdering,
    Duration registerTimeout,
    Duration eventPollInterval,
    Duration idleSpin,
    Duration idlePark,
    Duration maxIdlePark,
    List<VendorTable.Row> vendorErrors,
    EndpointSettings endpoint,
    NotifySettings notifications) {
  /** A work request's length is unsigned 32 bits, but no port takes more than this. */
  private static final long LARGEST_SLICE = 1L << 30;

  /** So long at most nobody looks whether there is something to do. */
  private static final Duration LONGEST_REST = Duration.ofSeconds(1);

  static RdmaSettings of(Config config) {
    long sliceSize = config.getBytes("slice-size");
    long maxSlice = config.getBytes("max-slice");
    if (sliceSize < 1 || sliceSize > maxSlice) {
      throw new ConfigException.BadValue(
          config.getValue("slice-size").origin(),
          "slice-size",
          sliceSize + " bytes; it lies between 1 and max-slice, " + maxSlice);
    }
    if (maxSlice > LARGEST_SLICE) {
      throw new ConfigException.BadValue(
          config.getValue("max-slice").origin(),
          "max-slice",
          maxSlice + " bytes; it is " + LARGEST_SLICE + " at most");
    }
    var idlePark = EndpointSettings.duration(config, "device.idle-park", LONGEST_REST);
    var maxIdlePark = EndpointSettings.duration(config, "device.max-idle-park", LONGEST_REST);
    if (maxIdlePark.compareTo(idlePark) < 0) {
      throw new ConfigException.BadValue(
          config.getValue("device.max-idle-park").origin(),
          "device.max-idle-park",
          EndpointSettings.text(maxIdlePark)
              + "; it is no shorter than idle-park, "
              + EndpointSettings.text(idlePark));
    }
    return new RdmaSettings(
        config.getBoolean("strict-rails"),
        sliceSize,
        maxSlice,
        devices(config),
        EndpointSettings.number(config, "device.gid-index", -1, 255),
        EndpointSettings.number(config, "device.max-cqe", 1, 1 << 22),
        config.getBoolean("device.relaxed-ordering"),
        EndpointSettings.duration(config, "device.register-timeout", EndpointSettings.LONGEST),
        EndpointSettings.duration(config, "device.event-poll-interval", LONGEST_REST),
        EndpointSettings.duration(config, "device.idle-spin", LONGEST_REST),
        idlePark,
        maxIdlePark,
        VendorErrors.of(config),
        EndpointSettings.of(config),
        NotifySettings.of(config));
  }

  private static List<String> devices(Config config) {
    var names = config.getStringList("devices");
    for (var name : names) {
      if (name.isBlank() || Collections.frequency(names, name) > 1) {
        throw new ConfigException.BadValue(
            config.getValue("devices").origin(),
            "devices",
            "'" + name + "' is no name, or stands there twice; each device is named once");
      }
    }
    return List.copyOf(names);
  }
}

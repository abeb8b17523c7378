package dev.shunt.transport.rdma;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.transport.rdma.core.VendorTable;
import java.time.Duration;
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
    var device = config.getConfig("device");
    var idlePark = EndpointSettings.duration(device, "idle-park");
    var maxIdlePark = EndpointSettings.duration(device, "max-idle-park");
    if (maxIdlePark.compareTo(idlePark) < 0) {
      throw new ConfigException.BadValue(
          device.getValue("max-idle-park").origin(),
          "device.max-idle-park",
          maxIdlePark + "; it is no shorter than idle-park, " + idlePark);
    }
    return new RdmaSettings(
        config.getBoolean("strict-rails"),
        sliceSize,
        maxSlice,
        List.copyOf(config.getStringList("devices")),
        EndpointSettings.number(device, "gid-index", -1, 255),
        EndpointSettings.number(device, "max-cqe", 1, 1 << 22),
        device.getBoolean("relaxed-ordering"),
        EndpointSettings.duration(device, "register-timeout"),
        EndpointSettings.duration(device, "event-poll-interval"),
        EndpointSettings.duration(device, "idle-spin"),
        idlePark,
        maxIdlePark,
        VendorErrors.of(device),
        EndpointSettings.of(config.getConfig("endpoint")),
        NotifySettings.of(config.getConfig("notify")));
  }
}

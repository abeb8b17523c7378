package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import java.time.Duration;

/**
 * What the runtime reads of {@code shunt.transports.ID}.
 *
 * @param enable whether it is wanted
 * @param lanes how many threads drive it
 * @param sliceSize bytes of a slice, 0 for what the transport prefers
 * @param windowBytes most bytes under way to one peer
 * @param windowSlices most slices under way to one peer
 * @param stallLimit how long a slice may make no progress
 * @param section all of it
 */
public record TransportConfig(
    boolean enable,
    int lanes,
    long sliceSize,
    long windowBytes,
    int windowSlices,
    Duration stallLimit,
    Config section) {
  static TransportConfig of(Values values, String id) {
    var at = Strictness.join("transports", id) + ".";
    values.flag(at + "strict-rails");
    TopologyConfig.check(values, id);
    values.number(at + "rail-error-threshold", 1, 1_000_000);
    values.time(at + "rail-error-window");
    var cooldown = values.time(at + "rail-cooldown");
    if (values.time(at + "rail-max-cooldown").compareTo(cooldown) < 0) {
      values.wrong(at + "rail-max-cooldown", "is below rail-cooldown; right is that or more");
    }
    return new TransportConfig(
        values.flag(at + "enable"),
        values.number(at + "lanes", 1, 64),
        values.size(at + "slice-size", 0, 1L << 40),
        values.size(at + "window-bytes", 1, 1L << 50),
        values.number(at + "window-slices", 1, 1_000_000),
        values.time(at + "stall-limit"),
        values.root().getConfig(Strictness.join("shunt.transports", id)));
  }
}

package dev.shunt.runtime.transport;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Limits;
import dev.shunt.runtime.transfer.core.FlowLimits;

/**
 * What configuration says of a transport that the runtime reads.
 *
 * @param config the transport's subtree
 * @param lanes how many threads drive it
 * @param sliceSize bytes of a slice, or 0 for what the transport prefers
 * @param windowSlices how many slices to one remote may be in flight
 * @param windowBytes how many bytes to one remote may be in flight
 * @param stallLimit nanoseconds
 * @param drainLimit nanoseconds
 * @param connectTimeout nanoseconds
 * @param queue how many requests to one remote may wait or be under way
 * @param idleSpin nanoseconds for which a lane looks for more before it parks
 */
public record TransportSettings(
    Config config,
    int lanes,
    long sliceSize,
    int windowSlices,
    long windowBytes,
    long stallLimit,
    long drainLimit,
    long connectTimeout,
    int queue,
    long idleSpin) {
  /**
   * The numbers of a flow.
   *
   * @param limits the transport's
   * @param maxSlice what the remote takes
   * @param block slices are multiples of it
   */
  FlowLimits flow(Limits limits, long maxSlice, int block) {
    var most = Math.min(limits.maxSlice(), maxSlice) / block * block;
    var wanted = sliceSize > 0 ? sliceSize : limits.preferredSlice();
    var slice = Math.max(block, Math.min(most, wanted) / block * block);
    return new FlowLimits(
        slice,
        most,
        windowSlices,
        windowBytes,
        stallLimit,
        drainLimit,
        connectTimeout,
        limits.fencing());
  }
}

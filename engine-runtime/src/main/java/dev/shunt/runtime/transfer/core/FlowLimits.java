package dev.shunt.runtime.transfer.core;

import dev.shunt.api.spi.Limits;

/**
 * The numbers of a flow.
 *
 * @param sliceSize bytes of a usual slice, a multiple of the remote's block
 * @param maxSlice bytes of the largest slice
 * @param windowSlices how many slices may be in flight
 * @param windowBytes how many bytes may be in flight; one slice always may
 * @param stallLimit nanoseconds after which a channel is retired whose oldest slice has not ended
 * @param drainLimit nanoseconds after which a retired channel's slices are quarantined
 * @param connectTimeout nanoseconds
 * @param fencing how a write's old attempt is made harmless
 */
public record FlowLimits(
    long sliceSize,
    long maxSlice,
    int windowSlices,
    long windowBytes,
    long stallLimit,
    long drainLimit,
    long connectTimeout,
    Limits.Fencing fencing) {
  /** The same with another way to fence. */
  FlowLimits with(Limits.Fencing other) {
    return new FlowLimits(
        sliceSize,
        maxSlice,
        windowSlices,
        windowBytes,
        stallLimit,
        drainLimit,
        connectTimeout,
        other);
  }
}

package dev.shunt.runtime.config;

import java.time.Duration;

/**
 * {@code shunt.transfer}.
 *
 * @param deadline of a batch that names none
 * @param queue most requests towards one peer by one transport
 * @param drainLimit how long an ended channel's slices may drain
 */
public record TransferConfig(Duration deadline, int queue, Duration drainLimit) {
  static TransferConfig of(Values values) {
    return new TransferConfig(
        values.time("transfer.deadline"),
        values.number("transfer.queue", 1, 1 << 24),
        values.time("transfer.drain-limit"));
  }
}

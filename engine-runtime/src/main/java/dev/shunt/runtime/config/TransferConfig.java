package dev.shunt.runtime.config;

import java.time.Duration;
import java.util.List;

/**
 * {@code shunt.transfer}.
 *
 * @param deadline of a batch that names none
 * @param queue most requests towards one peer by one transport
 * @param drainLimit how long an ended channel's slices may drain
 * @param waitSpin how long one who waits for a batch looks before it sleeps
 * @param idleSpin how long a lane looks for more before it parks
 * @param prefer transports in the order in which they are used
 */
public record TransferConfig(
    Duration deadline,
    int queue,
    Duration drainLimit,
    Duration waitSpin,
    Duration idleSpin,
    List<String> prefer) {
  /** Copies the list. */
  public TransferConfig {
    prefer = List.copyOf(prefer);
  }

  /** The place of a transport among those that reach a peer; the lower, the sooner. */
  public int rank(String transport) {
    var place = prefer.indexOf(transport);
    return place < 0 ? prefer.size() : place;
  }

  static TransferConfig of(Values values) {
    return new TransferConfig(
        values.time("transfer.deadline"),
        values.number("transfer.queue", 1, 1 << 24),
        values.time("transfer.drain-limit"),
        values.time("transfer.wait-spin", Duration.ZERO),
        values.time("transfer.idle-spin", Duration.ZERO),
        values.texts("transfer.prefer"));
  }
}

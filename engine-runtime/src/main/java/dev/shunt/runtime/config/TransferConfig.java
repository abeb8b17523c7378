package dev.shunt.runtime.config;

import dev.shunt.runtime.plain.PlainTransportProvider;
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

  /**
   * The place of a transport among those that reach a peer; the lower, the sooner. The one that
   * every TENT peer knows, and that promises the least, comes last unless it is named.
   */
  public int rank(String transport) {
    var place = prefer.indexOf(transport);
    if (place >= 0) {
      return place;
    }
    return transport.equals(PlainTransportProvider.ID) ? prefer.size() + 1 : prefer.size();
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

package dev.shunt.transport.rdma;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.time.Duration;

/** The subtree {@code notify}, checked. */
record NotifySettings(
    int firstSlots,
    int sendSlots,
    int receiveSlots,
    int waitingFrames,
    int links,
    Duration pollInterval,
    Duration handOver) {
  private static final int MOST = 1 << 12;

  /**
   * Reads it.
   *
   * @param transport the transport's subtree: what is wrong is told by its key there
   */
  static NotifySettings of(Config transport) {
    int first = EndpointSettings.number(transport, "notify.first-slots", 1, MOST);
    int send = EndpointSettings.number(transport, "notify.send-slots", 1, MOST);
    int receive = EndpointSettings.number(transport, "notify.receive-slots", 1, MOST);
    if (first > Math.min(send, receive)) {
      throw new ConfigException.BadValue(
          transport.getValue("notify.first-slots").origin(),
          "notify.first-slots",
          first + "; it is no more than send-slots and receive-slots");
    }
    return new NotifySettings(
        first,
        send,
        receive,
        EndpointSettings.number(transport, "notify.waiting-frames", 0, 1 << 16),
        EndpointSettings.number(transport, "notify.links", 1, 1 << 16),
        EndpointSettings.duration(transport, "notify.poll-interval", Duration.ofSeconds(1)),
        EndpointSettings.duration(transport, "notify.hand-over", EndpointSettings.LONGEST));
  }
}

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

  static NotifySettings of(Config config) {
    int first = EndpointSettings.number(config, "first-slots", 1, MOST);
    int send = EndpointSettings.number(config, "send-slots", 1, MOST);
    int receive = EndpointSettings.number(config, "receive-slots", 1, MOST);
    if (first > Math.min(send, receive)) {
      throw new ConfigException.BadValue(
          config.getValue("first-slots").origin(),
          "first-slots",
          first + "; it is no more than send-slots and receive-slots");
    }
    return new NotifySettings(
        first,
        send,
        receive,
        EndpointSettings.number(config, "waiting-frames", 0, 1 << 16),
        EndpointSettings.number(config, "links", 1, 1 << 16),
        EndpointSettings.duration(config, "poll-interval"),
        EndpointSettings.duration(config, "hand-over"));
  }
}

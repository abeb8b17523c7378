package dev.shunt.transport.rdma;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.transport.rdma.core.PathMtu;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.QpAttributes;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.wire.BootstrapCodec;
import java.time.Duration;

/** The subtree {@code endpoint}, checked. */
record EndpointSettings(
    int numQps,
    int maxQpWr,
    int storeCap,
    int pathMtu,
    int pkeyIndex,
    int hopLimit,
    int flowLabel,
    int trafficClass,
    int serviceLevel,
    int receivePsn,
    int sendPsn,
    int maxInboundReads,
    int maxOutboundReads,
    int minRnrTimer,
    int sendTimeout,
    int sendRetryCount,
    int sendRnrCount,
    Duration drainTimeout,
    int quarantine,
    Duration keepAliveInterval,
    Duration bootstrapTimeout,
    Duration readyAckTimeout,
    Duration closeTimeout) {
  private static final int PSN = 0xff_ffff;

  /** Whoever waits longer for anything has mistaken the unit. */
  static final Duration LONGEST = Duration.ofHours(1);

  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

  /** For ever. */
  private static final int NOTIFY_RNR_RETRY = 7;

  /**
   * Reads it.
   *
   * @param transport the transport's subtree: what is wrong is told by its key there
   */
  static EndpointSettings of(Config transport) {
    var key = "endpoint.path-mtu";
    int pathMtu = PathMtu.ofBytes(transport.getLong(key));
    if (pathMtu == 0) {
      throw new ConfigException.BadValue(
          transport.getValue(key).origin(),
          key,
          transport.getLong(key) + " bytes; it is 256, 512, 1024, 2048 or 4096");
    }
    return new EndpointSettings(
        number(transport, "endpoint.num-qps", 1, BootstrapCodec.MAX_QPS),
        number(transport, "endpoint.max-qp-wr", 1, 1 << 15),
        number(transport, "endpoint.endpoint-store-cap", 1, 1 << 20),
        pathMtu,
        number(transport, "endpoint.pkey-index", 0, 0xffff),
        number(transport, "endpoint.hop-limit", 1, 255),
        number(transport, "endpoint.flow-label", 0, 0xf_ffff),
        number(transport, "endpoint.traffic-class", 0, 255),
        number(transport, "endpoint.service-level", 0, 15),
        number(transport, "endpoint.rq-psn", 0, PSN),
        number(transport, "endpoint.sq-psn", 0, PSN),
        number(transport, "endpoint.max-dest-rd-atomic", 1, 255),
        number(transport, "endpoint.max-rd-atomic", 1, 255),
        number(transport, "endpoint.min-rnr-timer", 0, 31),
        number(transport, "endpoint.send-timeout", 1, 31),
        number(transport, "endpoint.send-retry-count", 0, 7),
        number(transport, "endpoint.send-rnr-count", 0, 7),
        duration(transport, "endpoint.drain-timeout", LONGEST),
        number(transport, "endpoint.quarantine", 0, 1 << 16),
        duration(transport, "endpoint.keep-alive-interval", LONGEST),
        duration(transport, "endpoint.bootstrap-timeout", LONGEST),
        duration(transport, "endpoint.ready-ack-timeout", LONGEST),
        duration(transport, "endpoint.close-timeout", LONGEST));
  }

  static int number(Config config, String key, int min, int max) {
    long value = config.getLong(key);
    if (value < min || value > max) {
      throw new ConfigException.BadValue(
          config.getValue(key).origin(), key, value + "; it lies between " + min + " and " + max);
    }
    return (int) value;
  }

  static Duration duration(Config config, String key, Duration highest) {
    var value = config.getDuration(key);
    if (!value.isPositive() || value.compareTo(highest) > 0) {
      throw new ConfigException.BadValue(
          config.getValue(key).origin(),
          key,
          text(value) + "; it is above 0, and " + text(highest) + " at most");
    }
    return value;
  }

  /** A time as a configuration has it. */
  static String text(Duration time) {
    if (time.toNanosPart() % 1000 != 0) {
      return time.toNanos() + "ns";
    } else if (time.toNanosPart() % 1_000_000 != 0) {
      return time.toNanos() / 1000 + "us";
    }
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
  }

  /**
   * What a notify QP is made with: the same, so that both kinds report a dead path after the same
   * time; but for ever patient with a peer that has no receive posted, which is ordinary there.
   */
  QpAttributes notifyAttributes(RdmaRail rail, GidEntry from) {
    var data = attributes(rail, from, Verbs.ACCESS_LOCAL_WRITE);
    return new QpAttributes(
        data.port(),
        data.gidIndex(),
        data.access(),
        data.pkeyIndex(),
        data.hopLimit(),
        data.flowLabel(),
        data.trafficClass(),
        data.serviceLevel(),
        data.receivePsn(),
        data.sendPsn(),
        1,
        1,
        data.minRnrTimer(),
        data.timeout(),
        data.retryCount(),
        NOTIFY_RNR_RETRY);
  }

  /**
   * How long a QP like ours takes at most to find out that its peer's is gone. Devices take up to
   * four times the timeout that they are given; twice is what is waited for.
   */
  long silenceNanos() {
    long budget = (sendRetryCount + 1) * (4_096L << sendTimeout);
    return Math.min(2 * budget, LONGEST_SILENCE.toNanos());
  }

  /** What our QPs on a rail are made with, sending from one of its addresses. */
  QpAttributes attributes(RdmaRail rail, GidEntry from, int access) {
    int reads = rail.device().info().maxReads();
    return new QpAttributes(
        rail.port(),
        from.index(),
        access,
        pkeyIndex,
        hopLimit,
        flowLabel,
        trafficClass,
        serviceLevel,
        receivePsn,
        sendPsn,
        Math.min(maxInboundReads, reads),
        Math.min(maxOutboundReads, reads),
        minRnrTimer,
        sendTimeout,
        sendRetryCount,
        sendRnrCount);
  }
}

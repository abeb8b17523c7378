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

  /** For ever. */
  private static final int NOTIFY_RNR_RETRY = 7;

  static EndpointSettings of(Config config) {
    int pathMtu = PathMtu.ofBytes(config.getLong("path-mtu"));
    if (pathMtu == 0) {
      throw new ConfigException.BadValue(
          config.origin(),
          "path-mtu",
          config.getLong("path-mtu") + " bytes; it is 256, 512, 1024, 2048 or 4096");
    }
    return new EndpointSettings(
        number(config, "num-qps", 1, BootstrapCodec.MAX_QPS),
        number(config, "max-qp-wr", 1, 1 << 15),
        number(config, "endpoint-store-cap", 1, 1 << 20),
        pathMtu,
        number(config, "pkey-index", 0, 0xffff),
        number(config, "hop-limit", 1, 255),
        number(config, "flow-label", 0, 0xf_ffff),
        number(config, "traffic-class", 0, 255),
        number(config, "service-level", 0, 15),
        number(config, "rq-psn", 0, PSN),
        number(config, "sq-psn", 0, PSN),
        number(config, "max-dest-rd-atomic", 1, 255),
        number(config, "max-rd-atomic", 1, 255),
        number(config, "min-rnr-timer", 0, 31),
        number(config, "send-timeout", 1, 31),
        number(config, "send-retry-count", 0, 7),
        number(config, "send-rnr-count", 0, 7),
        duration(config, "drain-timeout"),
        number(config, "quarantine", 0, 1 << 16),
        duration(config, "keep-alive-interval"),
        duration(config, "bootstrap-timeout"),
        duration(config, "ready-ack-timeout"),
        duration(config, "close-timeout"));
  }

  static int number(Config config, String key, int min, int max) {
    long value = config.getLong(key);
    if (value < min || value > max) {
      throw new ConfigException.BadValue(
          config.getValue(key).origin(), key, value + "; it lies between " + min + " and " + max);
    }
    return (int) value;
  }

  static Duration duration(Config config, String key) {
    var value = config.getDuration(key);
    if (!value.isPositive()) {
      throw new ConfigException.BadValue(
          config.getValue(key).origin(), key, value + "; it is above 0");
    }
    return value;
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

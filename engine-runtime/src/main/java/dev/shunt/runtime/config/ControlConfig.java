package dev.shunt.runtime.config;

import java.time.Duration;
import java.util.List;

/**
 * {@code shunt.control}.
 *
 * @param bind addresses to listen on, one at least
 * @param port to listen on, 0 for a free one
 * @param advertise what peers connect to, as host, host:port or [IPv6]:port; empty for the bound
 *     addresses
 * @param extension whether the descriptor carries our key
 * @param echoInterval after how much silence a node that was met is probed; zero for never
 */
public record ControlConfig(
    List<String> bind, int port, List<String> advertise, boolean extension, Duration echoInterval) {
  private static final Duration SHORTEST_ECHO = Duration.ofMillis(10);

  /** Copies the lists. */
  public ControlConfig {
    bind = List.copyOf(bind);
    advertise = List.copyOf(advertise);
  }

  static ControlConfig of(Values values) {
    var bind = values.texts("control.bind");
    if (values.root().getList("shunt.control.bind").isEmpty()) {
      values.wrong("control.bind", "no address; one at least is needed, such as [\"127.0.0.1\"]");
    }
    for (var address : bind) {
      if (!Addresses.isIp(address)) {
        values.wrong(
            "control.bind", "'" + address + "' is no IP address; ports go to control.port");
      }
    }
    var advertise = values.texts("control.advertise");
    for (var address : advertise) {
      if (!Addresses.isHostWithPort(address) && !Addresses.isHost(address)) {
        values.wrong("control.advertise", "'" + address + "' is no host, host:port or [IPv6]:port");
      }
    }
    return new ControlConfig(
        bind,
        values.number("control.port", 0, 65_535),
        advertise,
        values.flag("control.extension"),
        echoInterval(values));
  }

  private static Duration echoInterval(Values values) {
    var interval = values.time("control.echo-interval", Duration.ZERO);
    if (!interval.isZero() && interval.compareTo(SHORTEST_ECHO) < 0) {
      values.wrong(
          "control.echo-interval",
          "is shorter than any answer; right is 0, for never, or "
              + SHORTEST_ECHO.toMillis()
              + "ms and more");
    }
    return interval;
  }
}

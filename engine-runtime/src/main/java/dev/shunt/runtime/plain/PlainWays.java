package dev.shunt.runtime.plain;

import com.typesafe.config.Config;
import dev.shunt.api.spi.RemoteRail;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The ways by which the transport {@code tent} reaches a node: one for each connection. */
public final class PlainWays {
  static final String ADDRESS = "address";

  private PlainWays() {}

  /**
   * As many as configured, dealt out over the addresses of a node's control plane; at least one for
   * each of them.
   *
   * @param control where the control plane listens, at least one address
   * @param config {@code shunt.transports.tent}
   */
  public static List<RemoteRail> to(List<String> control, Config config) {
    var ways = new ArrayList<RemoteRail>();
    int count = Math.max(config.getInt("connections"), control.size());
    for (int i = 0; i < count; i++) {
      var address = control.get(i % control.size());
      int turn = i / control.size() + 1;
      var name = turn == 1 ? address : address + "/" + turn;
      ways.add(new RemoteRail(name, i, Map.of(ADDRESS, address)));
    }
    return ways;
  }
}

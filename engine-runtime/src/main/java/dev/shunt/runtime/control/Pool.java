package dev.shunt.runtime.control;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;

/** The connections of one route. */
final class Pool {
  private static final long SUSPECT = 10_000_000_000L;

  final Route route;
  final InetSocketAddress remote;
  final ArrayDeque<Outbound> idle = new ArrayDeque<>();
  final ArrayDeque<Call> waiting = new ArrayDeque<>();
  int open;
  private boolean failed;
  private long failedAt;

  Pool(Route route, InetSocketAddress remote) {
    this.route = route;
    this.remote = remote;
  }

  void failed(long now) {
    failed = true;
    failedAt = now;
  }

  void worked() {
    failed = false;
  }

  /** Whether it failed lately: other routes are tried before it. */
  boolean suspect(long now) {
    return failed && now - failedAt < SUSPECT;
  }

  /**
   * What waits beside a connection that died is likely dead too, and would cost its user a timeout.
   */
  void dropIdle() {
    List.copyOf(idle).forEach(Outbound::drop);
  }

  boolean empty() {
    return open == 0 && waiting.isEmpty();
  }
}

package dev.shunt.runtime.control;

import java.time.Duration;

/**
 * What {@code shunt.rpc} sets.
 *
 * @param connectTimeout for one connection
 * @param requestTimeout how long a served request may take to be answered
 * @param progressTimeout how long a half frame may stand still, or a reader may not read
 * @param idleTimeout how long an unused connection to a peer is kept
 * @param maxFrame most bytes of one attachment
 * @param maxConnections most connections from peers
 * @param maxPending most unanswered requests of one connection; no more are read until one ends
 * @param maxUnsent bytes that wait to be read by a peer before its next request is read
 * @param maxBuffered bytes of requests that lie on the heap, over all connections
 * @param maxOutstanding most calls to peers at a time
 * @param connectionsPerPeer most connections to one address, of each class
 */
public record ControlOptions(
    Duration connectTimeout,
    Duration requestTimeout,
    Duration progressTimeout,
    Duration idleTimeout,
    int maxFrame,
    int maxConnections,
    int maxPending,
    int maxUnsent,
    long maxBuffered,
    int maxOutstanding,
    int connectionsPerPeer) {

  /** Checks the numbers. */
  public ControlOptions {
    positive("connect-timeout", connectTimeout);
    positive("request-timeout", requestTimeout);
    positive("progress-timeout", progressTimeout);
    positive("idle-timeout", idleTimeout);
    positive("max-frame", maxFrame);
    positive("max-connections", maxConnections);
    positive("max-pending", maxPending);
    positive("max-unsent", maxUnsent);
    positive("max-buffered", (int) Math.min(Integer.MAX_VALUE, maxBuffered));
    positive("max-outstanding", maxOutstanding);
    positive("connections-per-peer", connectionsPerPeer);
  }

  /** The defaults. */
  public static ControlOptions defaults() {
    return new ControlOptions(
        Duration.ofSeconds(30),
        Duration.ofSeconds(30),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        16 << 20,
        1024,
        16,
        1 << 20,
        64L << 20,
        4096,
        4);
  }

  private static void positive(String key, Duration value) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException("rpc." + key + " is " + value + "; it is above 0");
    }
  }

  private static void positive(String key, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("rpc." + key + " is " + value + "; it is 1 at least");
    }
  }
}

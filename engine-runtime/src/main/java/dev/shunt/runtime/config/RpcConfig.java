package dev.shunt.runtime.config;

import java.time.Duration;

/**
 * {@code shunt.rpc}.
 *
 * @param requestTimeout for a call to be answered
 * @param notifyTimeout for a notification to be acknowledged
 * @param connectTimeout for one connection
 * @param probeTimeout for a probe
 * @param progressTimeout how long half a frame may stand still
 * @param idleTimeout how long an unused connection is kept
 * @param maxFrame most bytes of a message
 * @param maxRead most bytes of one RecvData of a plain peer
 * @param maxWrite most bytes of one SendData of a plain peer
 * @param maxConnections most connections from peers
 * @param maxPending most unanswered requests of a connection
 * @param maxUnsent most bytes that wait to be read by a peer
 * @param maxBuffered most bytes of messages from peers on the heap
 * @param maxOutstanding most unanswered calls to peers
 * @param connectionsPerPeer most connections to an address, of each class
 */
public record RpcConfig(
    Duration requestTimeout,
    Duration notifyTimeout,
    Duration connectTimeout,
    Duration probeTimeout,
    Duration progressTimeout,
    Duration idleTimeout,
    int maxFrame,
    long maxRead,
    long maxWrite,
    int maxConnections,
    int maxPending,
    int maxUnsent,
    long maxBuffered,
    int maxOutstanding,
    int connectionsPerPeer) {
  static RpcConfig of(Values values) {
    return new RpcConfig(
        values.time("rpc.request-timeout"),
        values.time("rpc.notify-timeout"),
        values.time("rpc.connect-timeout"),
        values.time("rpc.probe-timeout"),
        values.time("rpc.progress-timeout"),
        values.time("rpc.idle-timeout"),
        (int) values.size("rpc.max-frame", 4 << 10, 1 << 30),
        values.size("rpc.max-read", 4 << 10, 0xffff_ffffL),
        values.size("rpc.max-write", 4 << 10, 0xffff_ffffL),
        values.number("rpc.max-connections", 1, 1_000_000),
        values.number("rpc.max-pending", 1, 65_536),
        (int) values.size("rpc.max-unsent", 4 << 10, 1 << 30),
        values.size("rpc.max-buffered", 1 << 20, 1L << 40),
        values.number("rpc.max-outstanding", 1, 1_000_000),
        values.number("rpc.connections-per-peer", 1, 64));
  }
}

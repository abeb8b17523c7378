package dev.shunt.api;

import java.util.List;
import java.util.Map;

/**
 * A node at a moment.
 *
 * @param name its name
 * @param generation its generation
 * @param control addresses of its control plane
 * @param plugins what was found, and what became of it
 * @param transports what runs
 * @param peers nodes and targets that were met
 * @param memory registered buffers
 * @param counters totals since the start, by name
 */
public record Status(
    String name,
    long generation,
    List<String> control,
    List<Plugin> plugins,
    List<TransportStatus> transports,
    List<Peer> peers,
    Memory memory,
    Map<String, Long> counters) {
  /**
   * A provider.
   *
   * @param kind {@code transport}, {@code metadata}, {@code failover}
   * @param id its id, or its class where it could not even say that
   * @param version its version
   * @param origin its module and where that came from
   * @param state {@code ACTIVE}, {@code DISABLED} or {@code FAILED}
   * @param cause why it failed, or empty
   */
  public record Plugin(
      String kind, String id, String version, String origin, String state, String cause) {}

  /**
   * A transport.
   *
   * @param id its id
   * @param rails its rails
   * @param lanes how many threads drive it
   */
  public record TransportStatus(String id, List<RailStatus> rails, int lanes) {}

  /**
   * A rail.
   *
   * @param name its name
   * @param state {@code ACTIVE} or {@code INACTIVE}
   * @param cause why it is inactive, or empty
   */
  public record RailStatus(String name, String state, String cause) {}

  /**
   * A remote.
   *
   * @param name its name
   * @param generation its generation, 0 for a plain peer or a target
   * @param capabilities what was agreed, by id
   * @param queuedBytes waiting for room
   * @param inFlightBytes posted
   * @param paths how to get there
   */
  public record Peer(
      String name,
      long generation,
      Map<String, Integer> capabilities,
      long queuedBytes,
      long inFlightBytes,
      List<PathStatus> paths) {}

  /**
   * A path.
   *
   * @param transport the transport's id
   * @param localRail our rail
   * @param remoteRail the remote's
   * @param state {@code IDLE}, {@code CONNECTING}, {@code UP} or {@code PAUSED}
   * @param cause the last fault, or empty
   */
  public record PathStatus(
      String transport, String localRail, String remoteRail, String state, String cause) {}

  /**
   * Memory.
   *
   * @param buffers how many are registered
   * @param registeredBytes their sum
   * @param drainingBytes of slices that ended but have not drained
   * @param quarantinedBytes of slices that were given up on
   */
  public record Memory(
      int buffers, long registeredBytes, long drainingBytes, long quarantinedBytes) {}
}

package dev.shunt.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node at a moment. Times are of the wall clock, for people; bytes and counts are whole numbers.
 *
 * @param name its name
 * @param generation its generation
 * @param state what it is at
 * @param started when it was started
 * @param control addresses of its control plane
 * @param plugins what was found, and what became of it
 * @param transports what runs
 * @param peers nodes and targets that were met
 * @param memory registered buffers
 * @param queues what waits
 * @param stuck names of its threads that make no progress; empty where nobody watches them
 * @param counters totals since the start, by name
 */
public record Status(
    String name,
    long generation,
    State state,
    Instant started,
    List<String> control,
    List<Plugin> plugins,
    List<TransportStatus> transports,
    List<Peer> peers,
    Memory memory,
    Queues queues,
    List<String> stuck,
    Map<String, Long> counters) {
  /** What a node is at. */
  public enum State {
    /** It is put together. */
    STARTING,
    /** It serves. */
    READY,
    /** It takes nothing new, and waits for what is under way. */
    DRAINING,
    /** It is closed. */
    STOPPED
  }

  /**
   * A provider.
   *
   * @param kind {@code transport}, {@code metadata}, {@code failover}
   * @param id its id, or its class where it could not even say that
   * @param version its version
   * @param origin its module and where that came from
   * @param state {@code ACTIVE}, {@code DISABLED}, {@code EXCLUDED} or {@code FAILED}
   * @param cause why it is not active, or empty
   */
  public record Plugin(
      String kind, String id, String version, String origin, String state, String cause) {}

  /**
   * A transport.
   *
   * @param id its id
   * @param rails its rails
   * @param lanes how many threads drive it
   * @param traffic what it moved since the start
   * @param details what it shows of its inside: devices, ports; empty where it did not tell in time
   */
  public record TransportStatus(
      String id, List<RailStatus> rails, int lanes, Traffic traffic, List<Detail> details) {}

  /**
   * One thing within a transport.
   *
   * @param kind what it is, such as {@code device}
   * @param name which one
   * @param facts what is known of it in words, in order
   * @param counts what is known of it in numbers, in order
   */
  public record Detail(
      String kind, String name, Map<String, String> facts, Map<String, Long> counts) {}

  /**
   * What looking at a rail came to.
   *
   * @param problem what is wrong with it; empty if nothing was found
   * @param took how long it took
   */
  public record RailCheck(String problem, Duration took) {}

  /**
   * What was moved since the start.
   *
   * @param outboundBytes of requests of this node that completed
   * @param outboundRequests of this node that completed
   * @param failedRequests of this node that ended otherwise
   * @param inboundBytes that peers were let in to move
   * @param inboundRequests of peers that were let in
   */
  public record Traffic(
      long outboundBytes,
      long outboundRequests,
      long failedRequests,
      long inboundBytes,
      long inboundRequests) {}

  /**
   * A rail.
   *
   * @param name its name
   * @param state {@code ACTIVE}, {@code INACTIVE}, {@code RECOVERING} or {@code DRAINED}
   * @param since since when; empty if it never changed
   * @param cause why it is not active, or was not last, and whether it came back without that a
   *     peer was read; empty if it never changed
   * @param recoverAt when it is to be checked; only while it waits for that
   * @param verifiedAt when a check read from a peer over it last; empty if none did so
   * @param nextDelay how long it would be left alone if it were lost now
   * @param failures of its own, one after the other, since it last carried something
   */
  public record RailStatus(
      String name,
      String state,
      Optional<Instant> since,
      String cause,
      Optional<Instant> recoverAt,
      Optional<Instant> verifiedAt,
      Duration nextDelay,
      int failures) {}

  /**
   * A remote.
   *
   * @param name its name
   * @param generation its generation, 0 for a plain peer or a target
   * @param transport by which it is reached; empty if none reaches it
   * @param since when it was met
   * @param capabilities what was agreed, by id
   * @param queuedRequests that have not ended
   * @param inFlightBytes posted
   * @param unreachable since when its control plane does not answer; empty while it does. Its
   *     channels have states of their own
   * @param paths how to get there
   */
  public record Peer(
      String name,
      long generation,
      String transport,
      Optional<Instant> since,
      Map<String, Integer> capabilities,
      long queuedRequests,
      long inFlightBytes,
      Optional<Unreachable> unreachable,
      List<PathStatus> paths) {}

  /**
   * A peer that does not answer calls. Until it does it is not called, and whoever calls it is told
   * so at once.
   *
   * @param since when it was first silent
   * @param cause what was seen
   * @param nextProbe when it is asked again whether it answers
   */
  public record Unreachable(Instant since, String cause, Instant nextProbe) {}

  /**
   * A path.
   *
   * @param transport the transport's id
   * @param localRail our rail
   * @param remoteRail the remote's
   * @param state {@code IDLE}, {@code CONNECTING}, {@code UP}, {@code RETIRING} or {@code PAUSED}
   * @param until how long it is paused
   * @param cause the last fault, or empty
   * @param carriedBytes that went well by it
   * @param errors faults that count towards its next pause
   * @param nextPause how long that would be; zero where nothing is remembered of it
   */
  public record PathStatus(
      String transport,
      String localRail,
      String remoteRail,
      String state,
      Optional<Instant> until,
      String cause,
      long carriedBytes,
      int errors,
      Duration nextPause) {}

  /**
   * Memory.
   *
   * @param buffers how many are registered
   * @param registeredBytes their sum
   * @param drainingBytes of slices that ended but have not drained
   * @param quarantinedBytes of slices that were given up on; also of writes that nobody fenced,
   *     whose remote range may still change, after their local memory was given back
   * @param quarantinedRemoteBytes those of them whose local memory was given back
   */
  public record Memory(
      int buffers,
      long registeredBytes,
      long drainingBytes,
      long quarantinedBytes,
      long quarantinedRemoteBytes) {}

  /**
   * What waits, and what is under way besides transfers.
   *
   * @param notifications that wait for the application
   * @param calls to peers that have not ended
   * @param inboundConnections of the control plane
   * @param outboundConnections of the control plane
   */
  public record Queues(
      int notifications, int calls, int inboundConnections, int outboundConnections) {}
}

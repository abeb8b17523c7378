package dev.shunt.runtime.observe;

import dev.shunt.api.spi.Fault;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * What happens to one engine: each change of state becomes a JFR event and a count, and what people
 * ask for later (since when, and why) is kept. Any thread; never blocks. Without a recording an
 * event costs a look at a flag.
 */
public final class Journal {
  private static final TransferEvent TRANSFER = new TransferEvent();
  private static final AttemptFailedEvent ATTEMPT = new AttemptFailedEvent();

  private final LongSupplier wallMillis;
  private final AtomicLongArray counts = new AtomicLongArray(Change.values().length);
  private final Map<String, Since> rails = new ConcurrentHashMap<>();
  private final Map<String, Since> peers = new ConcurrentHashMap<>();
  private final Moments moments = new Moments();
  private volatile String node = "";

  /**
   * Since when something is as it is, and why.
   *
   * @param since of the wall clock
   * @param cause why, or empty
   */
  public record Since(Instant since, String cause) {}

  /**
   * An empty one.
   *
   * @param wallMillis the time that people read
   */
  public Journal(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
  }

  /** Names the node, once that is known; events before that have an empty name. */
  public void name(String name) {
    node = name;
  }

  /** The node's name. */
  public String node() {
    return node;
  }

  /** How often something happened. */
  public long count(Change change) {
    return counts.get(change.ordinal());
  }

  /** The time that people read. */
  public Instant now() {
    return Instant.ofEpochMilli(wallMillis.getAsLong());
  }

  /**
   * The time that people read, of a moment of the monotonic clock: the same, however often asked.
   *
   * @param what whose moment it is; one moment at a time is remembered for it
   * @param nanos the moment
   * @param nanosNow the monotonic clock now
   */
  public Instant at(String what, long nanos, long nanosNow) {
    return moments.at(what, nanos, nanosNow, now());
  }

  private void count(Change change, long more) {
    counts.getAndAdd(change.ordinal(), more);
  }

  // ---- requests

  /** Begins the event of a request; null if nobody records such events. */
  public TransferTrace begin(String peer, String transport) {
    return TRANSFER.isEnabled() ? new TransferTrace(node, peer, transport) : null;
  }

  /** A try of a slice failed. */
  public void attemptFailed(PathName path, boolean write, long bytes, int attempt, Fault fault) {
    if (!ATTEMPT.isEnabled()) {
      return;
    }
    var event = new AttemptFailedEvent();
    event.node = node;
    event.peer = path.peer();
    event.transport = path.transport();
    event.localRail = path.localRail();
    event.remoteRail = path.remoteRail();
    event.operation = operation(write);
    event.bytes = bytes;
    event.attempt = attempt;
    event.code = fault.code().name();
    event.blame = fault.blame().name();
    event.cause = fault.text();
    event.commit();
  }

  /**
   * A slice that failed goes on elsewhere.
   *
   * @param failedOn where it failed
   * @param local whether our rail is another one next, or else the remote's
   */
  public void handedOff(PathName failedOn, boolean write, long bytes, int attempt, boolean local) {
    var event = new SliceHandedOffEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.peer = failedOn.peer();
      event.transport = failedOn.transport();
      event.localRail = failedOn.localRail();
      event.remoteRail = failedOn.remoteRail();
      event.operation = operation(write);
      event.bytes = bytes;
      event.attempt = attempt;
      event.changes = local ? "local" : "remote";
      event.commit();
    }
  }

  /**
   * A request goes on by another transport.
   *
   * @param from the transport that it leaves
   * @param to the one that it goes on by
   */
  public void requestMoved(
      String peer, String from, String to, boolean write, long bytes, int attempts) {
    var event = new RequestMovedEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.peer = peer;
      event.transport = from;
      event.next = to;
      event.operation = operation(write);
      event.bytes = bytes;
      event.attempts = attempts;
      event.commit();
    }
  }

  /** A redone write counts as done by patience alone. */
  public void unfenced(String peer, String transport, long bytes) {
    var event = new UnfencedWriteEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.peer = peer;
      event.transport = transport;
      event.bytes = bytes;
      event.commit();
    }
  }

  /** This process did not run for so many nanoseconds. */
  public void stoodStill(long nanos) {
    count(Change.NODE_STOOD_STILL, 1);
    var event = new StoodStillEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.silence = nanos;
      event.commit();
    }
  }

  private static String operation(boolean write) {
    return write ? "WRITE" : "READ";
  }

  // ---- changes of state

  /** A rail of ours changed, or its address did, or a check of it failed. */
  public void rail(Change change, String transport, String rail, String cause) {
    count(change, 1);
    if (change != Change.RAIL_CHECK_FAILED && change != Change.RAIL_READDRESSED) {
      rails.put(transport + "/" + rail, new Since(now(), cause));
    }
    var event = new RailChangedEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.transport = transport;
      event.rail = rail;
      event.state = change.state();
      event.cause = cause;
      event.commit();
    }
  }

  /** Since when a rail is as it is; empty if it never changed. */
  public Optional<Since> rail(String transport, String rail) {
    return Optional.ofNullable(rails.get(transport + "/" + rail));
  }

  /**
   * A path changed.
   *
   * @param rest nanoseconds, 0 for a path that is used again
   */
  public void path(Change change, PathName path, long rest, String cause) {
    count(change, 1);
    var event = new PathChangedEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.peer = path.peer();
      event.transport = path.transport();
      event.localRail = path.localRail();
      event.remoteRail = path.remoteRail();
      event.state = change.state();
      event.rest = rest;
      event.cause = cause;
      event.commit();
    }
  }

  /** A channel changed. */
  public void channel(Change change, PathName path, String cause) {
    count(change, 1);
    var event = new ChannelChangedEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.peer = path.peer();
      event.transport = path.transport();
      event.localRail = path.localRail();
      event.remoteRail = path.remoteRail();
      event.state = change.state();
      event.cause = cause;
      event.commit();
    }
  }

  /** A remote changed. */
  public void peer(Change change, String peer, long generation, String cause) {
    count(change, 1);
    if (change == Change.PEER_MET) {
      peers.put(peer, new Since(now(), cause));
    } else if (change == Change.PEER_STALE || change == Change.PEER_FORGOTTEN) {
      peers.remove(peer);
    }
    var event = new PeerChangedEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.peer = peer;
      event.generation = Long.toUnsignedString(generation);
      event.state = change.state();
      event.cause = cause;
      event.commit();
    }
  }

  /** Since when a remote is known. */
  public Optional<Since> peer(String peer) {
    return Optional.ofNullable(peers.get(peer));
  }

  /** This node changed. */
  public void node(Change change, long generation, String cause) {
    count(change, 1);
    var event = new NodeChangedEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.generation = Long.toUnsignedString(generation);
      event.state = change.state();
      event.cause = cause;
      event.commit();
    }
  }

  /** A transport started, or could not. */
  public void transport(Change change, String transport, int railCount, String cause) {
    count(change, 1);
    var event = new TransportChangedEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.transport = transport;
      event.state = change.state();
      event.rails = railCount;
      event.cause = cause;
      event.commit();
    }
  }

  /** A plug-in is not used. */
  public void pluginRefused(String kind, String plugin, String origin, String cause) {
    count(Change.PLUGIN_REFUSED, 1);
    var event = new PluginRefusedEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.kind = kind.toLowerCase(Locale.ROOT);
      event.plugin = plugin;
      event.origin = origin;
      event.cause = cause;
      event.commit();
    }
  }

  /** The descriptor was written anew. */
  public void descriptorPublished(int bytes) {
    count(Change.DESCRIPTOR_PUBLISHED, 1);
    var event = new DescriptorPublishedEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.bytes = bytes;
      event.commit();
    }
  }

  /**
   * A thread of the engine stands still, or moves again.
   *
   * @param silence nanoseconds without progress
   */
  public void agent(Change change, String agent, long silence) {
    count(change, 1);
    var event = new AgentChangedEvent();
    if (event.isEnabled()) {
      event.node = node;
      event.agent = agent;
      event.state = change.state();
      event.silence = silence;
      event.commit();
    }
  }
}

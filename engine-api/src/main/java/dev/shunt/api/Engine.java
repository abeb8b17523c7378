package dev.shunt.api;

import com.typesafe.config.Config;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * A node of a cluster: it registers memory, opens segments of others, moves bytes and
 * notifications. All methods may be called on any thread. Open it from configuration, or with
 * {@link EngineFactory#builder} in code.
 *
 * <pre>{@code
 * try (var engine = Engine.open(ConfigFactory.load())) {
 *   var memory = engine.arena().allocate(1 << 20);
 *   engine.register(memory, Access.LOCAL);
 *   var peer = engine.openSegment("10.0.0.2:15000", Duration.ofSeconds(5));
 *   var write = Request.write(memory, peer, peer.buffers().getFirst().address());
 *   engine.submit(Batch.of(write)).await(Duration.ofSeconds(5)).orThrow();
 * }
 * }</pre>
 */
public interface Engine extends AutoCloseable {
  /**
   * Opens an engine with the runtime found on the module path or class path.
   *
   * @param config holds {@code shunt}; resolved strictly over the defaults of each module
   * @throws ShuntException with CONFIGURATION and the origin of a wrong value, or with what else
   *     keeps it from starting
   */
  static Engine open(Config config) {
    return EngineFactory.installed().open(config);
  }

  /** The name of this node: its peers open it as a segment by that. */
  String name();

  /** Differs from that of every earlier process of this name. */
  long generation();

  /**
   * Memory whose closing waits for the physical end: {@code close} of the arena waits until no
   * transfer that uses its memory is draining, for {@code shunt.memory.close-timeout} at most; then
   * it throws and frees nothing. Closed with the engine. Each call gives a new one.
   */
  Arena arena();

  /**
   * Registers memory with every transport.
   *
   * @param memory native, accessible from every thread (a shared, automatic or global arena, or
   *     {@link #arena()}); its owner closes it only after the buffer is unregistered
   * @throws ShuntException with REJECTED if the memory is on the heap or confined to a thread, or
   *     overlaps a registered buffer; with RESOURCE if a system limit forbids it
   */
  Buffer register(MemorySegment memory, Access access);

  /**
   * The same for memory of which it matters where it lies. {@code shunt.transports.ID.topology}
   * says which rails are near to it; peers are told where it lies, too.
   *
   * @param location such as {@code cpu:0} or {@code cuda:1}; {@link Buffer#ANYWHERE} for memory
   *     that is near to no rail in particular. Without one it is {@link Buffer#HOST}; where rails
   *     are at several NUMA nodes and the topology is the system's, {@link Buffer#ANYWHERE}
   */
  Buffer register(MemorySegment memory, Access access, String location);

  /**
   * Opens the memory of another node, or a storage target.
   *
   * @param name a node's name under the metadata backend (its address under p2p), or a target's
   *     transport address
   * @throws ShuntException with UNKNOWN_SEGMENT, UNREACHABLE, CAPABILITY or PROTOCOL
   */
  Segment openSegment(String name, Duration timeout) throws InterruptedException;

  /** The same, without blocking a thread. */
  Signal<SegmentResult> openSegmentAsync(String name, Duration timeout);

  /**
   * Submits a batch. A request that is wrong in itself does not throw: it ends with code REJECTED.
   *
   * @throws ShuntException with BUSY (see {@link Batch.WhenFull}), DEADLINE if the deadline passed
   *     while waiting for room, CLOSED, or REJECTED if the batch as a whole is misused
   */
  Transfer submit(Batch batch);

  /**
   * Sends a notification.
   *
   * @param segment a node's segment
   */
  Signal<Delivery> send(Segment segment, Notification notification, Duration timeout);

  /** Notifications that arrived. */
  Inbox inbox();

  /** How it is: a snapshot. */
  Status status();

  /**
   * Takes a rail of this node out of use, as before work on a cable or a switch: what is under way
   * on it goes on by other rails, nothing new goes by it, and peers are told. It stays so until
   * {@link #restoreRail}, whatever its link does. Nobody keeps the last rail from being drained.
   *
   * @param transport its transport's id, such as {@code tcp}
   * @param rail its name, as {@link #status()} tells it
   * @return how it is then: {@code DRAINED}
   * @throws ShuntException with REJECTED if there is no such rail, with CLOSED
   */
  Signal<Status.RailStatus> drainRail(String transport, String rail);

  /**
   * Brings a rail of this node back, whatever it was out of use for. It is checked at once, without
   * any delay; peers are told when it is in use again.
   *
   * @param transport its transport's id, such as {@code tcp}
   * @param rail its name, as {@link #status()} tells it
   * @return how it is when it was checked: {@code ACTIVE}, or the cause for which it is not
   * @throws ShuntException with REJECTED if there is no such rail, with CLOSED
   */
  Signal<Status.RailStatus> restoreRail(String transport, String rail);

  /**
   * Looks whether a rail of this node works, as far as its transport sees that from here: its link,
   * its address, a loopback of its data path. Sends nothing to peers, and changes nothing.
   *
   * @param transport its transport's id, such as {@code rdma}
   * @param rail its name, as {@link #status()} tells it
   * @throws ShuntException with REJECTED if there is no such rail, with CLOSED
   */
  Signal<Status.RailCheck> checkRail(String transport, String rail);

  /**
   * The gentle half of an end; {@link #close} is the other one. Withdraws the descriptor, takes
   * nothing new from here on (what asks is told CLOSED), and waits until the transfers under way,
   * and what peers are at, have ended. There is no way back; called again it only waits.
   *
   * @param timeout how long to wait at most
   * @return what is left
   */
  Drained drain(Duration timeout) throws InterruptedException;

  /**
   * Withdraws the descriptor, ends all transfers, waits for what drains up to {@code
   * shunt.close-timeout}, closes. Called twice does nothing. A callback may call it: its thread,
   * the engine's delivery, then ends when the callback has returned, and the rest is over before.
   */
  @Override
  void close();

  /** What came of opening a segment. */
  sealed interface SegmentResult {
    /** It is open. */
    record Opened(Segment segment) implements SegmentResult {}

    /** It is not. */
    record Refused(Failure failure) implements SegmentResult {}
  }
}

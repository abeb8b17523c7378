package dev.shunt.transport.rdma.verbs;

import java.lang.foreign.MemorySegment;

/**
 * An open device with one protection domain. All methods are the supervisor's, but for {@link
 * #register}, which several threads may call at once, and while the supervisor calls others.
 */
public interface VerbsDevice {
  /** Its name, such as {@code mlx5_0}. */
  String name();

  /** Where it sits, and what it is. */
  default DeviceOrigin origin() {
    return DeviceOrigin.UNKNOWN;
  }

  /** How fast a port's link is, as the system says it; empty where it does not. */
  default String rate(int port) {
    return "";
  }

  /** What it can take. */
  DeviceInfo info();

  /** The present state of a port; ports count from 1. */
  PortInfo port(int port);

  /**
   * An entry of a port's GID table.
   *
   * @return the entry; its GID is all zero where there is none
   */
  GidEntry gid(int port, int index);

  /**
   * Registers memory, which must stay alive until {@link VerbsRegion#close}.
   *
   * @param access a sum of ACCESS constants of {@link Verbs}
   * @throws VerbsException with ENOMEM where locked memory is limited, among others
   */
  VerbsRegion register(MemorySegment memory, int access);

  /**
   * Makes a completion queue.
   *
   * @param depth how many completions it holds at least
   */
  VerbsCq createCq(int depth);

  /** Makes a reliable connected QP in state RESET, whose completions all go to one queue. */
  VerbsQp createQp(VerbsCq cq, QpCapacity capacity);

  /**
   * Whether {@link #nextEvent} has to be asked now and then; otherwise the callback given to {@link
   * Verbs#open} tells.
   */
  boolean polled();

  /**
   * Takes the next asynchronous event, if there is one. Never blocks.
   *
   * @return whether {@code into} was filled
   */
  boolean nextEvent(AsyncEvent into);

  /** Closes it; everything that was made with it must have been closed before. */
  void close();
}

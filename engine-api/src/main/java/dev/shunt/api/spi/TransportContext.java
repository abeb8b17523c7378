package dev.shunt.api.spi;

import com.typesafe.config.Config;

/**
 * What the runtime lends to a transport: clock, threads, sockets, registered memory, the control
 * plane. A transport starts no thread and opens no socket by itself, so that the same code runs
 * under a simulator's virtual time. Any thread may call these methods.
 */
public interface TransportContext {
  /** The transport's subtree, {@code shunt.transports.ID}, resolved and validated. */
  Config config();

  /** The name of this node, as peers know it. */
  String node();

  /**
   * {@code host:port} where peers reach this node's control plane. The node's name, where it is not
   * told apart from that.
   */
  default String controlAddress() {
    return node();
  }

  /** This node's generation: differs from that of every earlier process of this name. */
  long generation();

  /** Monotonic nanoseconds; only differences mean something. All deadlines are on this clock. */
  long now();

  /** 64 random bits, not for secrets. */
  long random();

  /** How many lanes the runtime gives this transport. */
  int lanes();

  /** Sends a task to a lane's thread, and wakes it. Refused tasks (after close) are dropped. */
  Mailbox lane(int lane);

  /** The transport's supervisor thread: its tasks and timers. */
  Supervisor supervisor();

  /** Memory of this node that remotes may reach. */
  Regions regions();

  /** Requests to, and from, other nodes. */
  ControlPlane control();

  /** Byte streams. */
  Wires wires();

  /** Threads to be sacrificed to calls that may block for minutes. */
  Attempts attempts();
}

package dev.shunt.transport.rdma.core;

import dev.shunt.transport.rdma.verbs.AsyncEvents;

/**
 * What an asynchronous event asks for.
 *
 * <table>
 * <caption>All events of the header</caption>
 * <tr><td>DEVICE_FATAL</td><td>{@link #DEVICE_BROKEN}</td></tr>
 * <tr><td>CQ_ERR, WQ_FATAL</td><td>{@link #QUEUE_BROKEN}</td></tr>
 * <tr><td>PORT_ERR</td><td>{@link #PORT_DOWN}</td></tr>
 * <tr><td>PORT_ACTIVE</td><td>{@link #PORT_UP}</td></tr>
 * <tr><td>LID_CHANGE</td><td>{@link #PORT_MOVED}</td></tr>
 * <tr><td>GID_CHANGE</td><td>{@link #GID_CHANGED}</td></tr>
 * <tr><td>QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR</td><td>{@link #QP_BROKEN}</td></tr>
 * <tr><td>COMM_EST, SQ_DRAINED, QP_LAST_WQE_REACHED</td><td>{@link #COUNTED}: steps of a QP that
 * are known here already</td></tr>
 * <tr><td>PATH_MIG, PATH_MIG_ERR</td><td>{@link #COUNTED}: no QP here has a second path</td></tr>
 * <tr><td>SRQ_ERR, SRQ_LIMIT_REACHED</td><td>{@link #COUNTED}: there is no shared queue</td></tr>
 * <tr><td>PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER</td><td>{@link #COUNTED}: what a subnet manager
 * does; a connection that suffers by it fails by itself</td></tr>
 * <tr><td>any other</td><td>{@link #COUNTED}</td></tr>
 * </table>
 */
public enum AsyncClass {
  /** Every rail of the device is inactive, until an operator brings it back. */
  DEVICE_BROKEN,
  /** A queue is broken, and with it whatever uses it: the context is made anew after a time. */
  QUEUE_BROKEN,
  /** The port's rail is inactive until its link is back. */
  PORT_DOWN,
  /** The port is back. */
  PORT_UP,
  /** The port's rail is inactive, and nothing will tell the end: it is tried after a time. */
  PORT_MOVED,
  /** The port's addresses are to be read again. */
  GID_CHANGED,
  /** One QP is broken: its endpoint retires. */
  QP_BROKEN,
  /** Nothing but to count it. */
  COUNTED;

  /** The class of an event; one that is not known is counted. */
  public static AsyncClass of(int type) {
    return switch (type) {
      case AsyncEvents.DEVICE_FATAL -> DEVICE_BROKEN;
      case AsyncEvents.CQ_ERR, AsyncEvents.WQ_FATAL -> QUEUE_BROKEN;
      case AsyncEvents.PORT_ERR -> PORT_DOWN;
      case AsyncEvents.PORT_ACTIVE -> PORT_UP;
      case AsyncEvents.LID_CHANGE -> PORT_MOVED;
      case AsyncEvents.GID_CHANGE -> GID_CHANGED;
      case AsyncEvents.QP_FATAL, AsyncEvents.QP_REQ_ERR, AsyncEvents.QP_ACCESS_ERR -> QP_BROKEN;
      default -> COUNTED;
    };
  }
}

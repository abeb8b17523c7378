package dev.shunt.transport.rdma.core;

import dev.shunt.transport.rdma.verbs.AsyncEvents;

/** What an asynchronous event asks for. */
public enum AsyncClass {
  /** Every rail of the device is inactive. */
  DEVICE_DOWN,
  /** The port's rail is inactive. */
  PORT_DOWN,
  /** The port is back. */
  PORT_UP,
  /** The port's addresses are to be read again. */
  GID_CHANGED,
  /** One QP is broken: its endpoint retires. */
  QP_BROKEN,
  /** Nothing but to count it. */
  COUNTED;

  /** The class of an event; one that is not known is counted. */
  public static AsyncClass of(int type) {
    return switch (type) {
      case AsyncEvents.DEVICE_FATAL, AsyncEvents.CQ_ERR, AsyncEvents.WQ_FATAL -> DEVICE_DOWN;
      case AsyncEvents.PORT_ERR, AsyncEvents.LID_CHANGE -> PORT_DOWN;
      case AsyncEvents.PORT_ACTIVE -> PORT_UP;
      case AsyncEvents.GID_CHANGE -> GID_CHANGED;
      case AsyncEvents.QP_FATAL, AsyncEvents.QP_REQ_ERR, AsyncEvents.QP_ACCESS_ERR -> QP_BROKEN;
      default -> COUNTED;
    };
  }
}

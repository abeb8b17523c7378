package dev.shunt.transport.rdma;

/** Hears of a QP that its device found broken. */
interface QpOwner {
  /**
   * The QP is in error.
   *
   * @param event the asynchronous event's name
   */
  void qpBroken(String event);
}

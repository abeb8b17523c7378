package dev.shunt.transport.rdma;

/** Whom QPs belong to; hears when their device finds one broken. */
interface QpOwner {
  /** Whose context the QP belongs to. */
  RdmaRail rail();

  /**
   * The QP is in error.
   *
   * @param event the asynchronous event's name
   */
  void qpBroken(String event);

  /** What state its QPs are in, by the name that verbs have for it. */
  String qpState();
}

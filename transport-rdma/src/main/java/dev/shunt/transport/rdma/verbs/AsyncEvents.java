package dev.shunt.transport.rdma.verbs;

/** The values of {@code enum ibv_event_type}, and what each is about. */
public final class AsyncEvents {
  /** A CQ is broken. */
  public static final int CQ_ERR = 0;

  /** A QP is broken. */
  public static final int QP_FATAL = 1;

  /** A peer's request was invalid; the QP is in error. */
  public static final int QP_REQ_ERR = 2;

  /** A peer's request lacked the right; the QP is in error. */
  public static final int QP_ACCESS_ERR = 3;

  /** The device is broken. */
  public static final int DEVICE_FATAL = 8;

  /** A port came up. */
  public static final int PORT_ACTIVE = 9;

  /** A port went down. */
  public static final int PORT_ERR = 10;

  /** A port's local id changed. */
  public static final int LID_CHANGE = 11;

  /** A port's GID table changed. */
  public static final int GID_CHANGE = 18;

  /** A work queue is broken. */
  public static final int WQ_FATAL = 19;

  private static final String[] NAMES = {
    "CQ_ERR",
    "QP_FATAL",
    "QP_REQ_ERR",
    "QP_ACCESS_ERR",
    "COMM_EST",
    "SQ_DRAINED",
    "PATH_MIG",
    "PATH_MIG_ERR",
    "DEVICE_FATAL",
    "PORT_ACTIVE",
    "PORT_ERR",
    "LID_CHANGE",
    "PKEY_CHANGE",
    "SM_CHANGE",
    "SRQ_ERR",
    "SRQ_LIMIT_REACHED",
    "QP_LAST_WQE_REACHED",
    "CLIENT_REREGISTER",
    "GID_CHANGE",
    "WQ_FATAL"
  };

  private AsyncEvents() {}

  /** The constant's name, or its number where it is not known. */
  public static String name(int type) {
    return type >= 0 && type < NAMES.length ? NAMES[type] : "event " + type;
  }

  /** What an event is about. */
  static Subject subject(int type) {
    return switch (type) {
      case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, 4, 5, 6, 7, 16 -> Subject.QP;
      case PORT_ACTIVE, PORT_ERR, LID_CHANGE, 12, 13, 17, GID_CHANGE -> Subject.PORT;
      default -> Subject.OTHER;
    };
  }

  enum Subject {
    PORT,
    QP,
    OTHER
  }
}

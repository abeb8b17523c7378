package dev.shunt.transport.rdma.verbs;

/** A verb failed. */
public final class VerbsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Not permitted. */
  public static final int EPERM = 1;

  /** Not there: most often a device's file. */
  public static final int ENOENT = 2;

  /** No memory: most often the limit on locked memory. */
  public static final int ENOMEM = 12;

  /** The device does not answer, or is gone. */
  public static final int EIO = 5;

  /** No access. */
  public static final int EACCES = 13;

  /** Not there. */
  public static final int ENODEV = 19;

  /** Something in the arguments is wrong. */
  public static final int EINVAL = 22;

  /** Not supported. */
  public static final int ENOTSUP = 95;

  private final int error;

  /**
   * Says which verb failed, on what.
   *
   * @param error the system's error number
   */
  public VerbsException(String what, int error) {
    super(what + " failed: " + text(error));
    this.error = error;
  }

  /** The system's error number. */
  public int error() {
    return error;
  }

  /** An error number in words, where it is a usual one. */
  public static String text(int error) {
    return switch (error) {
      case EPERM -> "not permitted (1)";
      case ENOENT -> "not there (2)";
      case EIO -> "input/output error (5)";
      case 11 -> "try again (11)";
      case ENOMEM -> "out of memory, or beyond the limit on locked memory (12)";
      case EACCES -> "no permission (13)";
      case 14 -> "bad address (14)";
      case 16 -> "busy (16)";
      case ENODEV -> "no such device (19)";
      case EINVAL -> "invalid argument (22)";
      case 28 -> "no room (28)";
      case 38 -> "not implemented (38)";
      case ENOTSUP -> "not supported (95)";
      case 101 -> "network unreachable (101)";
      case 110 -> "timed out (110)";
      case 113 -> "no route to the peer (113)";
      default -> "error " + error;
    };
  }
}

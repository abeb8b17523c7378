package dev.shunt.api;

/** How a request is wrong in itself. No path is charged for it, and it is not retried. */
public sealed interface Rejection {
  /** What, where, and what would be right. */
  String message();

  /** The local memory does not lie within one registered buffer of this engine. */
  record LocalNotRegistered(long address, long length) implements Rejection {
    @Override
    public String message() {
      return "local range "
          + Rejection.range(address, length)
          + " does not lie within one registered buffer of this engine; register it first";
    }
  }

  /** The remote range does not lie within one of the segment's buffers. */
  record RemoteOutOfRange(String segment, long address, long length) implements Rejection {
    @Override
    public String message() {
      return "remote range "
          + Rejection.range(address, length)
          + " does not lie within one buffer of segment "
          + segment;
    }
  }

  /** The remote does not allow the operation there. */
  record NotAllowed(String segment, Operation operation, Access access) implements Rejection {
    @Override
    public String message() {
      return "segment " + segment + " allows " + access + " there, and not a " + operation;
    }
  }

  /** The buffer is being unregistered. */
  record BufferDraining(long address, long length) implements Rejection {
    @Override
    public String message() {
      return "buffer " + Rejection.range(address, length) + " is being unregistered";
    }
  }

  /** Address or length is no multiple of the segment's block. */
  record Misaligned(String segment, long address, long length, int blockSize) implements Rejection {
    @Override
    public String message() {
      return "remote range "
          + Rejection.range(address, length)
          + " of segment "
          + segment
          + " must begin and end on multiples of "
          + blockSize
          + " bytes";
    }
  }

  /** The segment was opened by another engine. */
  record ForeignSegment(String segment) implements Rejection {
    @Override
    public String message() {
      return "segment " + segment + " was opened by another engine; open it with this one";
    }
  }

  /** No transport of this engine reaches the segment with this operation. */
  record NoTransport(String segment, Operation operation) implements Rejection {
    @Override
    public String message() {
      return "no transport of this engine can do a " + operation + " on segment " + segment;
    }
  }

  private static String range(long address, long length) {
    return "[0x" + Long.toHexString(address) + ", +" + length + ")";
  }
}

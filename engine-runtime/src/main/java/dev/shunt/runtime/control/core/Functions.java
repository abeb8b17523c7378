package dev.shunt.runtime.control.core;

/** Ids of the control plane's functions: up to 11 those of Mooncake's TENT, from 64 on ours. */
public final class Functions {
  /** Empty; the answer is the descriptor's text. */
  public static final int GET_SEGMENT_DESC = 1;

  /** A BootstrapDesc, and one back. */
  public static final int BOOTSTRAP_RDMA = 2;

  /** Address, length, bytes: a write. */
  public static final int SEND_DATA = 3;

  /** Address, length: a read. */
  public static final int RECV_DATA = 4;

  /** A notification. */
  public static final int NOTIFY = 5;

  /** Empty both ways. */
  public static final int PROBE = 6;

  /** Asks for a copy between others; never served. */
  public static final int DELEGATE = 7;

  /** Asks for staging memory; never served. */
  public static final int PIN = 8;

  /** Gives staging memory back; never served. */
  public static final int UNPIN = 9;

  /** Asks to be told of a changed descriptor. */
  public static final int SUBSCRIBE = 10;

  /** Tells that a descriptor changed. */
  public static final int SEGMENT_UPDATED = 11;

  /** Two nodes of ours meet. */
  public static final int HELLO = 64;

  /** Refuses what still comes from an old link. */
  public static final int FENCE = 65;

  /** The first that plug-ins may take. */
  public static final int FIRST_OF_PLUGINS = 128;

  private Functions() {}

  /** By which connections it goes. */
  public static Traffic traffic(int function) {
    return switch (function) {
      case HELLO, FENCE, PROBE -> Traffic.VITAL;
      case SEND_DATA, RECV_DATA -> Traffic.BULK;
      default -> Traffic.ORDINARY;
    };
  }

  /** Its name, for logs and errors. */
  public static String name(int function) {
    return switch (function) {
      case GET_SEGMENT_DESC -> "GetSegmentDesc";
      case BOOTSTRAP_RDMA -> "BootstrapRdma";
      case SEND_DATA -> "SendData";
      case RECV_DATA -> "RecvData";
      case NOTIFY -> "Notify";
      case PROBE -> "Probe";
      case DELEGATE -> "Delegate";
      case PIN -> "Pin";
      case UNPIN -> "Unpin";
      case SUBSCRIBE -> "SubscribeSegmentUpdate";
      case SEGMENT_UPDATED -> "NotifySegmentUpdated";
      case HELLO -> "Hello";
      case FENCE -> "Fence";
      default -> "function " + function;
    };
  }
}

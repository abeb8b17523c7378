package dev.shunt.runtime.control.core;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Takes requests apart as their bytes arrive. It says how many bytes it wants, so that nothing is
 * read beyond the part at hand, and judges each length before it makes room. The payload of a write
 * it sees only counted: once the head is judged, the caller reads it straight to {@link #memory()}.
 */
public final class RequestDecoder {
  private static final byte[] NOTHING = {};
  private static final int BODY_KEPT = 16;

  private static final long MAX_U32 = 0xffff_ffffL;

  private final int maxAttachment;
  private final Optional<DataDesk> desk;
  private final FramePart part;
  private final Landing landing = new Landing();
  private Stage stage = Stage.HEAD;
  private int sequence;
  private boolean codes;
  private int hash;
  private long attachmentLength;
  private int function;
  private int refusal;
  private byte[] dataHead = NOTHING;
  private boolean data;
  private String problem = "";
  private String violation = "";
  private boolean tooLarge;

  private enum Stage {
    HEAD,
    BODY,
    ATTACHMENT,
    DATA_HEAD,
    LANDING,
    EXCESS,
    COMPLETE
  }

  /**
   * A decoder at the beginning of a frame.
   *
   * @param maxAttachment most bytes of an attachment that is kept
   * @param desk judges data, which without it is a request like any other
   * @param room for what is kept
   */
  RequestDecoder(int maxAttachment, Optional<DataDesk> desk, FramePart.Room room) {
    this.maxAttachment = maxAttachment;
    this.desk = desk;
    this.part = new FramePart(room);
    part.begin(Frames.REQUEST_HEAD, Frames.REQUEST_HEAD);
  }

  /** How many bytes to bring next, at most; 0 if a request is complete or the stream is broken. */
  public long wants() {
    return stage == Stage.COMPLETE || broken() ? 0 : missing();
  }

  private long missing() {
    return stage == Stage.LANDING ? landing.missing() : part.missing();
  }

  /**
   * Whether the next bytes belong into {@link #memory()} at {@link #offset()}: to be read there and
   * told by {@link #landed}. Others go by {@link #accept}.
   */
  public boolean landing() {
    return stage == Stage.LANDING;
  }

  /** Where the next bytes belong. Only while {@link #landing()}. */
  public MemorySegment memory() {
    return landing.memory();
  }

  /** Where in {@link #memory()}. */
  public long offset() {
    return landing.offset();
  }

  /** So many bytes came, at most {@link #wants()}, and are where they belong. */
  public void landed(long count) {
    landing.arrived(count);
    goOn();
  }

  /** Nothing comes any more: what a half write held is let go of. */
  public void release() {
    landing.end();
  }

  /** There is no room for the request at hand: it is read to its end, and refused. */
  void drop() {
    part.drop();
  }

  /** Whether it stands within a frame. */
  public boolean within() {
    return stage != Stage.HEAD || part.arrived() > 0;
  }

  /** Whether a part came to its end since the frame began; with {@link #arrived} the progress. */
  public int stage() {
    return stage.ordinal();
  }

  /** How many bytes of the part at hand came. */
  public long arrived() {
    return stage == Stage.LANDING ? landing.arrived() : part.arrived();
  }

  /** Whether the stream cannot be read on. */
  public boolean broken() {
    return !violation.isEmpty();
  }

  /** What broke the stream, or an empty text. */
  public String violation() {
    return violation;
  }

  /**
   * Whether what broke the stream was a length above the limit, in a frame that is sound otherwise.
   */
  public boolean tooLarge() {
    return tooLarge;
  }

  /** Of the frame at hand. */
  public int sequence() {
    return sequence;
  }

  /** Takes at most {@link #wants()} bytes. */
  public void accept(MemorySegment from, long offset, int count) {
    part.accept(from, offset, count);
    if (stage == Stage.HEAD && !plausible()) {
      return;
    }
    goOn();
  }

  private void goOn() {
    while (stage != Stage.COMPLETE && !broken() && missing() == 0) {
      advance();
    }
  }

  /** The complete request; the decoder goes on to the next one. */
  public RpcRequest take() {
    if (stage != Stage.COMPLETE) {
      throw new IllegalStateException("no request is complete");
    }
    if (part.dropped()) {
      refusal = RpcError.THROWN;
    }
    var request =
        new RpcRequest(
            sequence, refusal, function, data ? dataHead : part.take(), data, problem, codes);
    data = false;
    dataHead = NOTHING;
    problem = "";
    stage = Stage.HEAD;
    part.begin(Frames.REQUEST_HEAD, Frames.REQUEST_HEAD);
    return request;
  }

  /** Judges as early as TENT does: a wrong first byte ends the stream without a second. */
  private boolean plausible() {
    var head = part.bytes();
    long count = part.arrived();
    if (count > 0 && head[0] != Frames.MAGIC) {
      violation = "the first byte is " + (head[0] & 0xff) + ", not " + Frames.MAGIC;
    } else if (count > 1 && head[1] != Frames.VERSION) {
      violation = "protocol version " + (head[1] & 0xff) + "; this is version " + Frames.VERSION;
    } else if (count > 2 && head[2] != Frames.STRUCT_PACK) {
      violation = "serialization " + (head[2] & 0xff) + "; only struct_pack (0) is spoken";
    }
    return !broken();
  }

  private void advance() {
    switch (stage) {
      case HEAD -> {
        var head = part.bytes();
        codes = head[3] == Frames.CODES;
        sequence = LittleEndian.getInt(head, 4);
        hash = LittleEndian.getInt(head, 8);
        long bodyLength = Integer.toUnsignedLong(LittleEndian.getInt(head, 12));
        attachmentLength = Integer.toUnsignedLong(LittleEndian.getInt(head, 16));
        if (!tooLong("body", bodyLength, Frames.MAX_BODY)
            && !tooLong("attachment", attachmentLength, desk.isEmpty() ? maxAttachment : MAX_U32)) {
          stage = Stage.BODY;
          part.begin(bodyLength, BODY_KEPT);
        }
      }
      case BODY -> named();
      case DATA_HEAD -> {
        dataHead = part.take();
        if (function == Functions.SEND_DATA) {
          problem = desk.orElseThrow().write(dataHead, attachmentLength, landing.lease());
        }
        stage = Stage.LANDING;
        landing.begin(landing.lease().held() ? DataCodec.length(dataHead) : 0);
      }
      case LANDING -> {
        long landed = landing.arrived();
        landing.end();
        stage = Stage.EXCESS;
        part.begin(attachmentLength - dataHead.length - landed, 0);
      }
      case ATTACHMENT, EXCESS -> stage = Stage.COMPLETE;
      case COMPLETE -> {}
    }
  }

  private void named() {
    var argument = StructPack.integer(part.bytes(), part.kept());
    refusal =
        hash != Frames.FUNCTION_HASH
            ? RpcError.NOT_REGISTERED
            : argument.isEmpty() ? RpcError.INVALID_ARGUMENTS : 0;
    function = argument.orElse(0);
    data = refusal == 0 && desk.isPresent() && DataDesk.serves(function);
    boolean lands = data && function == Functions.SEND_DATA;
    if (!lands && tooLong("attachment", attachmentLength, maxAttachment)) {
      return;
    }
    if (data) {
      stage = Stage.DATA_HEAD;
      part.begin(Math.min(attachmentLength, DataCodec.HEAD), DataCodec.HEAD);
    } else {
      stage = Stage.ATTACHMENT;
      part.begin(attachmentLength, refusal == 0 ? maxAttachment : 0);
    }
  }

  private boolean tooLong(String what, long announced, long most) {
    if (announced <= most) {
      return false;
    }
    tooLarge = true;
    violation =
        "a request with " + announced + " bytes of " + what + "; at most " + most + " are taken";
    return true;
  }
}

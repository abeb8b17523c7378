package dev.shunt.runtime.control.core;

import java.lang.foreign.MemorySegment;

/**
 * Takes requests apart as their bytes arrive. It says how many bytes it wants, so that nothing is
 * read beyond the part at hand, and judges each length before it makes room.
 */
public final class RequestDecoder {
  private static final int BODY_KEPT = 16;

  private final int maxAttachment;
  private final FramePart part = new FramePart();
  private Stage stage = Stage.HEAD;
  private int sequence;
  private int hash;
  private int bodyLength;
  private int attachmentLength;
  private int function;
  private int refusal;
  private String violation = "";
  private boolean tooLarge;

  private enum Stage {
    HEAD,
    BODY,
    ATTACHMENT,
    COMPLETE
  }

  /** A decoder at the beginning of a frame. */
  public RequestDecoder(int maxAttachment) {
    this.maxAttachment = maxAttachment;
    part.begin(Frames.REQUEST_HEAD, Frames.REQUEST_HEAD);
  }

  /** How many bytes to bring next, at most; 0 if a request is complete or the stream is broken. */
  public int wants() {
    return stage == Stage.COMPLETE || broken() ? 0 : part.missing();
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
  public int arrived() {
    return part.arrived();
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
    while (stage != Stage.COMPLETE && !broken() && part.missing() == 0) {
      advance();
    }
  }

  /** The complete request; the decoder goes on to the next one. */
  public RpcRequest take() {
    if (stage != Stage.COMPLETE) {
      throw new IllegalStateException("no request is complete");
    }
    var request = new RpcRequest(sequence, refusal, function, part.take());
    stage = Stage.HEAD;
    part.begin(Frames.REQUEST_HEAD, Frames.REQUEST_HEAD);
    return request;
  }

  /** Judges as early as TENT does: a wrong first byte ends the stream without a second. */
  private boolean plausible() {
    var head = part.bytes();
    int count = part.arrived();
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
        sequence = LittleEndian.getInt(head, 4);
        hash = LittleEndian.getInt(head, 8);
        bodyLength = LittleEndian.getInt(head, 12);
        attachmentLength = LittleEndian.getInt(head, 16);
        if (tooLong("body", bodyLength, Frames.MAX_BODY)
            || tooLong("attachment", attachmentLength, maxAttachment)) {
          return;
        }
        stage = Stage.BODY;
        part.begin(bodyLength, BODY_KEPT);
      }
      case BODY -> {
        var argument = StructPack.integer(part.bytes(), part.kept());
        refusal =
            hash != Frames.FUNCTION_HASH
                ? RpcError.NOT_REGISTERED
                : argument.isEmpty() ? RpcError.INVALID_ARGUMENTS : 0;
        function = argument.orElse(0);
        stage = Stage.ATTACHMENT;
        part.begin(attachmentLength, refusal == 0 ? attachmentLength : 0);
      }
      case ATTACHMENT -> stage = Stage.COMPLETE;
      case COMPLETE -> {}
    }
  }

  private boolean tooLong(String what, int announced, int most) {
    if (Integer.compareUnsigned(announced, most) <= 0) {
      return false;
    }
    tooLarge = true;
    violation =
        "a request with "
            + Integer.toUnsignedString(announced)
            + " bytes of "
            + what
            + "; at most "
            + most
            + " are taken";
    return true;
  }
}

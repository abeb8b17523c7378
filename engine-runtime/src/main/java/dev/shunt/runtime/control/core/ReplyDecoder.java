package dev.shunt.runtime.control.core;

import java.lang.foreign.MemorySegment;

/** Takes replies apart as their bytes arrive; the counterpart of {@link RequestDecoder}. */
public final class ReplyDecoder {
  private final int maxAttachment;
  private final FramePart part = new FramePart();
  private Stage stage = Stage.HEAD;
  private int error;
  private int sequence;
  private int attachmentLength;
  private String text = "";
  private String violation = "";

  private enum Stage {
    HEAD,
    BODY,
    ATTACHMENT,
    COMPLETE
  }

  /** A decoder at the beginning of a frame. */
  public ReplyDecoder(int maxAttachment) {
    this.maxAttachment = maxAttachment;
    part.begin(Frames.REPLY_HEAD, Frames.REPLY_HEAD);
  }

  /** How many bytes to bring next, at most; 0 if a reply is complete or the stream is broken. */
  public int wants() {
    return stage == Stage.COMPLETE || broken() ? 0 : (int) part.missing();
  }

  /** Whether the stream cannot be read on. */
  public boolean broken() {
    return !violation.isEmpty();
  }

  /** What broke the stream, or an empty text. */
  public String violation() {
    return violation;
  }

  /** Whether a reply is there to be taken. */
  public boolean complete() {
    return stage == Stage.COMPLETE;
  }

  /** Takes at most {@link #wants()} bytes. */
  public void accept(MemorySegment from, long offset, int count) {
    part.accept(from, offset, count);
    while (stage != Stage.COMPLETE && !broken() && part.missing() == 0) {
      advance();
    }
  }

  /** The complete reply; the decoder goes on to the next one. */
  public RpcReply take() {
    if (stage != Stage.COMPLETE) {
      throw new IllegalStateException("no reply is complete");
    }
    var reply = new RpcReply(sequence, error, text, part.take());
    stage = Stage.HEAD;
    part.begin(Frames.REPLY_HEAD, Frames.REPLY_HEAD);
    return reply;
  }

  private void advance() {
    switch (stage) {
      case HEAD -> {
        var head = part.bytes();
        error = head[2] & 0xff;
        sequence = LittleEndian.getInt(head, 4);
        int bodyLength = LittleEndian.getInt(head, 8);
        attachmentLength = LittleEndian.getInt(head, 12);
        if (head[0] != Frames.MAGIC || head[1] != Frames.VERSION) {
          violation =
              "a reply begins with bytes "
                  + (head[0] & 0xff)
                  + " and "
                  + (head[1] & 0xff)
                  + ", not "
                  + Frames.MAGIC
                  + " and "
                  + Frames.VERSION;
        } else if (!tooLong("body", bodyLength, Frames.MAX_BODY)
            && !tooLong("attachment", attachmentLength, maxAttachment)) {
          stage = Stage.BODY;
          part.begin(bodyLength, bodyLength);
        }
      }
      case BODY -> {
        text = "";
        if (error != 0) {
          text = StructPack.text(part.bytes(), part.kept()).orElse("");
        } else if (!StructPack.isNothing(part.bytes(), part.kept())) {
          violation = "a reply without error whose body is not that of an empty result";
          return;
        }
        stage = Stage.ATTACHMENT;
        part.begin(attachmentLength, attachmentLength);
      }
      case ATTACHMENT -> stage = Stage.COMPLETE;
      case COMPLETE -> {}
    }
  }

  private boolean tooLong(String what, int announced, int most) {
    if (Integer.compareUnsigned(announced, most) <= 0) {
      return false;
    }
    violation =
        "a reply with "
            + Integer.toUnsignedString(announced)
            + " bytes of "
            + what
            + "; at most "
            + most
            + " are taken";
    return true;
  }
}

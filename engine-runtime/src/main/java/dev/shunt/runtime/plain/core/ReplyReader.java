package dev.shunt.runtime.plain.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Wire;
import dev.shunt.runtime.control.core.FrameHeads;
import dev.shunt.runtime.control.core.RpcError;
import dev.shunt.runtime.control.core.StructPack;
import dev.shunt.runtime.plain.core.Pipeline.Kind;
import java.lang.foreign.MemorySegment;

/**
 * Takes replies apart, in the order of the requests. The data of a read goes straight into its
 * slice's memory. Lengths are checked before anything is made of them.
 */
final class ReplyReader {
  /** The longest descriptor that is taken. */
  private static final long DESCRIPTOR = 1 << 20;

  /** The longest text that may stand in place of an answer. */
  private static final long TEXT = 64 << 10;

  private final MemorySegment in;
  private final int copyLimit;
  private final Pipeline pipeline;
  private final ReplyText body = new ReplyText();
  private final ReplyText attachment = new ReplyText();
  private Stage stage = Stage.HEAD;
  private long from;
  private long to;
  private boolean dry;
  private int error;
  private long attached;
  private long arrived;
  private boolean refused;
  private boolean coded;
  private String violation = "";

  private enum Stage {
    HEAD,
    BODY,
    DATA,
    TEXT
  }

  /** What a step came to. */
  enum Step {
    /** More bytes are needed. */
    MORE,
    /** The oldest request is answered. */
    ANSWERED,
    /** The oldest request is answered by an error. */
    ERROR,
    /** The stream cannot be read on. */
    BROKEN
  }

  ReplyReader(MemorySegment in, int copyLimit, Pipeline pipeline) {
    this.in = in;
    this.copyLimit = copyLimit;
    this.pipeline = pipeline;
  }

  // ---- what was read

  String violation() {
    return violation;
  }

  int error() {
    return error;
  }

  String errorText() {
    return StructPack.text(body.bytes(), body.length()).orElse("without a text");
  }

  /** What the error means to us; one that speaks of the other side's state says little of ours. */
  FailureCode errorCode() {
    return switch (RpcError.code(error, errorText())) {
      case UNSUPPORTED -> FailureCode.UNSUPPORTED;
      case RESOURCE, BUSY -> FailureCode.RESOURCE;
      case CLOSED -> FailureCode.CONNECTION;
      default -> FailureCode.PROTOCOL;
    };
  }

  byte[] attachment() {
    return attachment.array();
  }

  /** Whether a text came in place of what was asked. */
  boolean refused() {
    return refused;
  }

  String refusal() {
    return attachment.text();
  }

  // ---- reading

  /** Reads once; answers what the wire did. */
  long fill(Wire wire) {
    long count;
    if (stage == Stage.DATA && left() > copyLimit) {
      var slice = pipeline.slice();
      count = wire.read(slice.memory(), slice.offset() + arrived, left());
      arrived += Math.max(0, count);
      // Of large data there is mostly more by now: to look is cheaper than to be woken for it.
      dry = count <= 0;
      return count;
    }
    if (from > 0) {
      // What is left is less than a head.
      MemorySegment.copy(in, from, in, 0, to - from);
      to -= from;
      from = 0;
    }
    long asked = Math.min(in.byteSize() - to, most());
    count = wire.read(in, to, asked);
    to += Math.max(0, count);
    dry = count < asked;
    return count;
  }

  /** Whether the last read took all that there was. */
  boolean dry() {
    return dry;
  }

  private long left() {
    return pipeline.slice().length() - arrived;
  }

  /** Of the data that goes straight to its memory none is read along with its head. */
  private long most() {
    if (pipeline.isEmpty()
        || pipeline.kind() != Kind.DATA
        || pipeline.slice().write()
        || pipeline.slice().length() <= copyLimit) {
      return in.byteSize();
    }
    return switch (stage) {
      case HEAD -> Math.max(1, FrameHeads.REPLY + FrameHeads.BODY - (to - from));
      case BODY -> body.missing();
      case DATA, TEXT -> in.byteSize();
    };
  }

  /**
   * Goes on with what is there.
   *
   * @param written how much of the stream went out
   */
  Step advance(long written) {
    while (true) {
      switch (stage) {
        case HEAD -> {
          if (to - from < FrameHeads.REPLY) {
            return Step.MORE;
          }
          if (!head(written)) {
            return Step.BROKEN;
          }
        }
        case BODY -> {
          from += body.take(in, from, to - from);
          if (!body.complete()) {
            return Step.MORE;
          }
          if (!body()) {
            return Step.BROKEN;
          }
        }
        case DATA -> {
          take();
          if (left() > 0) {
            return Step.MORE;
          }
          stage = Stage.HEAD;
          return Step.ANSWERED;
        }
        case TEXT -> {
          from += attachment.take(in, from, to - from);
          if (!attachment.complete()) {
            return Step.MORE;
          }
          stage = Stage.HEAD;
          return error == 0 ? Step.ANSWERED : Step.ERROR;
        }
      }
    }
  }

  private void take() {
    long count = Math.min(to - from, left());
    if (count > 0) {
      var slice = pipeline.slice();
      MemorySegment.copy(in, from, slice.memory(), slice.offset() + arrived, count);
      from += count;
      arrived += count;
    }
  }

  private boolean head(long written) {
    if (pipeline.isEmpty()) {
      return broken("sent bytes that nobody asked for");
    }
    if (!FrameHeads.isReply(in, from)) {
      return broken("sent a reply that does not begin as one");
    }
    error = FrameHeads.error(in, from);
    coded = FrameHeads.isCoded(in, from);
    int sequence = FrameHeads.sequence(in, from);
    long bodyLength = FrameHeads.body(in, from);
    attached = FrameHeads.attachment(in, from);
    if (sequence != pipeline.sequence()) {
      return broken(
          "replied to request "
              + Integer.toUnsignedString(sequence)
              + " where "
              + Integer.toUnsignedString(pipeline.sequence())
              + " was the oldest");
    }
    if (bodyLength > FrameHeads.MAX_BODY) {
      return broken("announced a body of " + bodyLength + " bytes");
    }
    if (attached > TEXT && attached > expected()) {
      return broken("announced " + attached + " bytes for an answer");
    }
    if (error == 0 && !pipeline.sent(written)) {
      return broken("answered a request that was not sent to its end");
    }
    from += FrameHeads.REPLY;
    body.begin(bodyLength, true);
    stage = Stage.BODY;
    return true;
  }

  /** The longest good answer to the oldest request, where it is longer than a text may be. */
  private long expected() {
    if (error != 0) {
      return 0;
    }
    return switch (pipeline.kind()) {
      case DESCRIBE -> DESCRIPTOR;
      case SUBSCRIBE -> 0;
      // Of a read that is answered by another length than asked, only a text is left.
      case DATA ->
          !pipeline.slice().write() && !coded && attached == pipeline.slice().length()
              ? attached
              : 0;
    };
  }

  private boolean body() {
    if (error == 0 && !StructPack.isNothing(body.bytes(), body.length())) {
      return broken("sent a reply without error whose body is not that of an empty result");
    }
    var data = error == 0 && pipeline.kind() == Kind.DATA;
    var read = data && !pipeline.slice().write();
    arrived = 0;
    if (read && !coded && attached == pipeline.slice().length()) {
      refused = false;
      stage = Stage.DATA;
    } else {
      refused = data && (read || attached > 0);
      attachment.begin(attached, error == 0 && pipeline.kind() != Kind.SUBSCRIBE);
      stage = Stage.TEXT;
    }
    return true;
  }

  private boolean broken(String text) {
    violation = text;
    return false;
  }
}

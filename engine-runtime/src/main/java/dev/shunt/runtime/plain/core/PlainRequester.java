package dev.shunt.runtime.plain.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Slice;
import dev.shunt.api.spi.Wire;
import dev.shunt.runtime.plain.core.PeerRanges.Answer;
import dev.shunt.runtime.plain.core.Pipeline.Kind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The asking end of a connection to a peer that speaks TENT's own protocol. First of all it asks
 * for the peer's descriptor, on this very connection; a slice is sent only where a descriptor that
 * came by it has the slice's range. Where it has not, and where an answer is not to be trusted, the
 * descriptor is asked for once more and decides.
 *
 * <p>Answers are reported at once. When something is wrong it only says so ({@link #fault}),
 * touches nothing any more, and reports the rest when it is told to ({@link #abandon}).
 */
public final class PlainRequester {
  /** Beside slices there are a descriptor and a subscription to ask for, and the like twice. */
  private static final int BESIDES = 4;

  private static final long SENT_AT_A_TIME = 8L << 20;
  private static final int READS_AT_A_TIME = 16;

  private final Wire wire;
  private final String peer;
  private final int depth;
  private final boolean subscribes;
  private final LaneListener listener;
  private final Descriptions descriptions;
  private final Pipeline pipeline;
  private final Sender sender;
  private final ReplyReader reader;
  private final ArrayDeque<Doubt> doubts = new ArrayDeque<>();

  /** What was read that says that it is a refusal, of slices that are read once more. */
  private final Map<Slice, String> said = new HashMap<>();

  private PeerRanges ranges;
  private long described;
  private boolean describing;
  private boolean subscribing;
  private boolean wantsWrite;
  private boolean unfinished;
  private Fault fault;

  /** Takes the texts of descriptors, to be read elsewhere. */
  @FunctionalInterface
  public interface Descriptions {
    /** One came; {@link PlainRequester#described} is to be called for it, later. */
    void came(byte[] text);
  }

  /**
   * What a connection is made of.
   *
   * @param in staging memory of what comes
   * @param out staging memory of what goes
   * @param copyLimit how much of a payload is staged, at most
   * @param depth how many slices it carries at once
   * @param subscription what SubscribeSegmentUpdate says after each descriptor; empty for none
   */
  public record Parts(
      MemorySegment in, MemorySegment out, int copyLimit, int depth, MemorySegment subscription) {}

  /** A connection that is there; nothing was sent on it. */
  public PlainRequester(
      Wire wire, String peer, Parts parts, LaneListener listener, Descriptions descriptions) {
    this.wire = wire;
    this.peer = peer;
    this.depth = parts.depth();
    this.subscribes = parts.subscription().byteSize() > 0;
    this.listener = listener;
    this.descriptions = descriptions;
    this.pipeline = new Pipeline(parts.depth() + BESIDES);
    this.sender = new Sender(parts.out(), parts.copyLimit(), parts.subscription());
    this.reader = new ReplyReader(parts.in(), parts.copyLimit(), pipeline);
  }

  /** From now on refusals may begin with a code: the peer agreed on it. */
  public void codes() {
    sender.codes();
  }

  /** How many slices it would take. */
  public int room() {
    return fault != null || ranges == null
        ? 0
        : Math.max(0, depth - pipeline.data() - doubts.size());
  }

  /** What ended it, if something did. */
  public Optional<Fault> fault() {
    return Optional.ofNullable(fault);
  }

  /** Whether it waits for nothing. */
  public boolean idle() {
    return pipeline.isEmpty() && doubts.isEmpty() && !describing;
  }

  /** Asks for the descriptor, unless it does so already; {@link #send} lets it go. */
  public void describe() {
    if (!describing) {
      describing = true;
      described++;
      pipeline.add(Kind.DESCRIBE, null);
    }
  }

  /** Takes a slice; {@link #send} lets it go. */
  public void post(Slice slice) {
    if (room() == 0) {
      throw new IllegalStateException("posted on a channel that has no room, or is down");
    }
    if (ranges.look(slice.remoteAddress(), slice.length(), slice.write()) == Answer.INSIDE) {
      pipeline.add(Kind.DATA, slice);
    } else {
      doubt(slice, Doubt.Why.UNKNOWN_RANGE, "");
    }
  }

  private void doubt(Slice slice, Doubt.Why why, String text) {
    // One that is asked for, and not sent yet, is as good as another.
    long first = pipeline.isToStage(Kind.DESCRIBE) ? described : described + 1;
    doubts.add(new Doubt(slice, why, text, first));
    describe();
  }

  /** What the last text that came says; {@link #send} follows. */
  public void described(PeerRanges latest) {
    if (fault != null) {
      return;
    }
    ranges = latest;
    describing = false;
    if (subscribes && !subscribing) {
      subscribing = true;
      pipeline.add(Kind.SUBSCRIBE, null);
    }
    for (int left = doubts.size(); left > 0; left--) {
      var doubt = doubts.poll();
      if (doubt.description() > described) {
        doubts.add(doubt);
      } else {
        settle(doubt);
      }
    }
    if (!doubts.isEmpty()) {
      describe();
    }
  }

  private void settle(Doubt doubt) {
    var slice = doubt.slice();
    var before = said.remove(slice);
    var answer = ranges.look(slice.remoteAddress(), slice.length(), slice.write());
    if (answer != Answer.INSIDE) {
      listener.failed(slice, doubt.denied(peer, answer));
      return;
    }
    switch (doubt.why()) {
      case UNKNOWN_RANGE -> pipeline.add(Kind.DATA, slice);
      case READS_AS_TEXT -> {
        // A peer may refuse for a reason that its descriptor has nothing of: what says itself that
        // it is a refusal is read once more. Memory says the same again.
        var text = doubt.refusal();
        if (text.isEmpty() || text.equals(before)) {
          listener.completed(slice);
        } else {
          said.put(slice, text);
          pipeline.add(Kind.DATA, slice);
        }
      }
      case REFUSED -> listener.failed(slice, doubt.refused(peer));
    }
  }

  // ---- sending

  /** Sends what the wire takes, within bounds. */
  public void send() {
    if (fault != null) {
      return;
    }
    long most = sender.written() + SENT_AT_A_TIME;
    unfinished = false;
    do {
      sender.stage(pipeline);
      if (!sender.drain(wire)) {
        break;
      }
      unfinished = pipeline.hasUnstaged() && sender.written() >= most;
    } while (pipeline.hasUnstaged() && !unfinished);
    var wants = sender.pending() || unfinished;
    if (wants != wantsWrite) {
      wantsWrite = wants;
      wire.interest(true, wants);
    }
  }

  // ---- receiving

  /** Takes answers, within bounds. */
  public void receive() {
    for (int reads = 0; fault == null && reads < READS_AT_A_TIME; reads++) {
      long count = reader.fill(wire);
      if (count < 0) {
        ended();
        return;
      }
      if (count == 0) {
        break;
      }
      answers();
      // Where nothing is unanswered there is nothing to come, and its end is told like any news.
      if (reader.dry() || pipeline.isEmpty()) {
        break;
      }
    }
    // What was answered may have made room, or raised a doubt.
    send();
  }

  private void ended() {
    if (idle()) {
      end(
          new Fault(
              Blame.NEUTRAL,
              FailureCode.CONNECTION,
              Effect.NONE,
              peer + " closed a connection that was idle"));
    } else {
      fail(FailureCode.CONNECTION, "closed the connection before it had answered");
    }
  }

  private void answers() {
    while (fault == null) {
      switch (reader.advance(sender.written())) {
        case MORE -> {
          return;
        }
        case BROKEN -> fail(FailureCode.PROTOCOL, reader.violation());
        case ERROR -> error();
        case ANSWERED -> answered();
      }
    }
  }

  /** TENT too gives a connection up that brought an error; a subscription is worth none. */
  private void error() {
    if (pipeline.kind() == Kind.SUBSCRIBE) {
      subscribing = false;
      pipeline.drop();
      return;
    }
    end(
        new Fault(
            Blame.REMOTE,
            reader.errorCode(),
            Effect.POSSIBLE,
            peer + " answered error " + reader.error() + ": " + reader.errorText(),
            reader.error()));
  }

  private void answered() {
    var slice = pipeline.slice();
    var kind = pipeline.kind();
    pipeline.drop();
    switch (kind) {
      case DESCRIBE -> descriptions.came(reader.attachment());
      case SUBSCRIBE -> subscribing = false;
      case DATA -> {
        if (reader.refused()) {
          doubt(slice, Doubt.Why.REFUSED, reader.refusal());
        } else if (!slice.write() && Doubt.couldBeRefusal(slice)) {
          doubt(slice, Doubt.Why.READS_AS_TEXT, "");
        } else {
          said.remove(slice);
          listener.completed(slice);
        }
      }
    }
  }

  // ---- the end

  private void fail(FailureCode code, String text) {
    end(new Fault(Blame.REMOTE, code, Effect.POSSIBLE, peer + " " + text));
  }

  /** Ends it with a reason: the wire must be closed before the next call. */
  public void end(Fault cause) {
    if (fault == null) {
      fault = cause;
      sender.discard();
    }
  }

  /** Reports all that is unanswered, oldest first. After the end, and once. */
  public void abandon() {
    said.clear();
    var none = withEffect(Effect.NONE);
    var possible = withEffect(Effect.POSSIBLE);
    while (!pipeline.isEmpty()) {
      var slice = pipeline.slice();
      // A peer applies nothing of a write of which it has no byte.
      var begun = pipeline.begun(Sender.DATA_HEAD, sender.written());
      pipeline.drop();
      if (slice != null) {
        listener.failed(slice, slice.write() && begun ? possible : none);
      }
    }
    for (var doubt = doubts.poll(); doubt != null; doubt = doubts.poll()) {
      listener.failed(doubt.slice(), doubt.effect() == Effect.POSSIBLE ? possible : none);
    }
  }

  private Fault withEffect(Effect effect) {
    return new Fault(fault.blame(), fault.code(), effect, fault.text(), fault.vendorCode());
  }
}

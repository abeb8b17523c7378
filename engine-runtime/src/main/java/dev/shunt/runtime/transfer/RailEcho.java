package dev.shunt.runtime.transfer;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * A check of one path, and the only slice that a rail carries which is out of use: a channel of its
 * own, and several reads in a row of memory whose content is known. Who has the lane's turn calls
 * it.
 */
public final class RailEcho implements Slice {
  /** So many reads have to be right, one after the other. */
  public static final int IN_A_ROW = 3;

  /** A transport answers by the deadline; past that and this much more it is not waited for. */
  private static final long UNANSWERED_AFTER = 1_000_000_000L;

  private final Asked asked;
  private final Consumer<Outcome> answer;
  private final Runnable released;
  private ConnectRequest request;
  private Channel channel;
  private Fault fault;
  private boolean answered;
  private boolean ending;
  private boolean posted;
  private boolean news;
  private boolean down;
  private boolean corrupt;
  private int verified;

  /**
   * What is to be read, and to where.
   *
   * @param localKey of the local memory, on our rail
   * @param memory the local memory: of one registration
   * @param offset in it
   * @param remoteAddress of what is read
   * @param remoteKey of that, on the remote's rail
   * @param expected what stands there
   */
  public record Asked(
      RegionKey localKey,
      MemorySegment memory,
      long offset,
      long remoteAddress,
      long remoteKey,
      byte[] expected) {}

  /** What came of it. */
  public sealed interface Outcome {
    /** All reads were right. */
    record Verified() implements Outcome {}

    /**
     * The remote is another process by now, or its page is not there under that key any more: that
     * says nothing of our rail.
     */
    record Stranger(String text) implements Outcome {}

    /** Nothing came back: the path does not work, or the remote is not there at all. */
    record NoAnswer(String text) implements Outcome {}

    /** The path does not work. */
    record Failed(String text) implements Outcome {}

    /** The path brings other bytes than were sent. */
    record Corrupt(String text) implements Outcome {}
  }

  /**
   * A check that has not begun.
   *
   * @param answer called once, on the lane, by a second after the deadline at the latest
   * @param released called once, on the lane, when nothing uses the local memory any more
   */
  public RailEcho(Asked asked, Consumer<Outcome> answer, Runnable released) {
    this.asked = asked;
    this.answer = answer;
    this.released = released;
  }

  /** It has asked for its channel. */
  void begun(ConnectRequest connect) {
    request = connect;
  }

  ConnectRequest request() {
    return request;
  }

  // ---- what is reported; no call goes back from here

  void up(Channel made) {
    channel = made;
    news = true;
  }

  void connectFailed(Fault why) {
    fault = why;
    down = true;
    news = true;
  }

  void completed() {
    posted = false;
    news = true;
    if (!answered && !right()) {
      corrupt = true;
      fault =
          new Fault(
              Fault.Blame.LOCAL,
              FailureCode.PROTOCOL,
              Fault.Effect.NONE,
              "an echo brought other bytes than stand in the memory of " + name());
    } else {
      verified++;
    }
  }

  private boolean right() {
    var there = asked.memory.asSlice(asked.offset, asked.expected.length);
    return there.mismatch(MemorySegment.ofArray(asked.expected)) < 0;
  }

  void failed(Fault why) {
    posted = false;
    fault = why;
    news = true;
  }

  void channelDown(Fault why) {
    fault = fault == null ? why : fault;
    down = true;
    news = true;
  }

  // ---- the lane's turns

  /** When {@link #look} is wanted. */
  long nextLook() {
    if (news) {
      return Long.MIN_VALUE;
    }
    return answered ? Long.MAX_VALUE : patience();
  }

  private long patience() {
    return request.deadline() + (channel == null ? UNANSWERED_AFTER : 0);
  }

  /** Moves it on; answers whether something was done. */
  boolean look(long now) {
    var moved = news;
    news = false;
    if (!answered) {
      if (verified == IN_A_ROW) {
        end(new Outcome.Verified());
      } else if (fault != null) {
        end(outcome());
      } else if (now - patience() >= 0) {
        end(
            channel == null
                ? new Outcome.Failed("the transport did not answer a request for a channel in time")
                : new Outcome.NoAnswer("an echo from " + name() + " did not come in time"));
      }
    }
    if (answered && channel != null && !ending && !down) {
      ending = true;
      moved = true;
      channel.retire(RetireReason.EVICTED, now);
    } else if (!answered && channel != null && !posted && channel.room() > 0) {
      moved = true;
      post(now);
    }
    return moved;
  }

  private void post(long now) {
    // What was read last must not pass for what is read next.
    asked.memory.asSlice(asked.offset, asked.expected.length).fill((byte) 0);
    posted = true;
    channel.post(this, now);
    channel.flush(now);
  }

  private void end(Outcome outcome) {
    answered = true;
    answer.accept(outcome);
  }

  private Outcome outcome() {
    if (corrupt) {
      return new Outcome.Corrupt(fault.text());
    }
    if (switch (fault.code()) {
      case STALE_GENERATION, REMOTE_RANGE, REMOTE_ACCESS -> true;
      default -> false;
    }) {
      return new Outcome.Stranger(fault.text());
    }
    var silent = fault.blame() == Fault.Blame.NEUTRAL && fault.code() == FailureCode.UNREACHABLE;
    return silent ? new Outcome.NoAnswer(fault.text()) : new Outcome.Failed(fault.text());
  }

  /** Whether nothing is left of it; a channel that comes later is nobody's. */
  boolean over() {
    var over = answered && (down || channel == null);
    if (over) {
      released.run();
    }
    return over;
  }

  /** The lane ends. */
  void close() {
    if (!answered) {
      end(new Outcome.Failed("the engine is closed"));
    }
  }

  private String name() {
    return request.remote().name();
  }

  // ---- the slice

  @Override
  public boolean write() {
    return false;
  }

  @Override
  public MemorySegment memory() {
    return asked.memory;
  }

  @Override
  public long offset() {
    return asked.offset;
  }

  @Override
  public long length() {
    return asked.expected.length;
  }

  @Override
  public RegionKey localKey() {
    return asked.localKey;
  }

  @Override
  public long remoteAddress() {
    return asked.remoteAddress;
  }

  @Override
  public long remoteKey() {
    return asked.remoteKey;
  }

  @Override
  public long deadline() {
    return request.deadline();
  }
}

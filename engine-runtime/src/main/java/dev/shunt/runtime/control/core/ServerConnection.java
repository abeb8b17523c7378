package dev.shunt.runtime.control.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Lease;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * The serving end of one connection: requests come in, maybe several before the first is answered;
 * answers may be found in any order and go out in that of the requests. When too much is pending or
 * unsent it reads no further request, so that a peer that does not read its replies stops itself.
 *
 * <p>SendData and RecvData are served right here where a {@link DataDesk} is given, without a copy:
 * see {@link #landing()} and {@link Outbox#lent()}. While the bytes of a read wait to be sent no
 * request is read, so that none that came later changes them.
 */
public final class ServerConnection {
  private static final byte[] NOTHING = {};
  private static final int STEP = 1 << 16;

  /** Bytes of unread answers with which one may ask for more, however many wait elsewhere. */
  private static final int FEW_UNSENT = 1 << 14;

  private final ServerLimits limits;
  private final Optional<DataDesk> desk;
  private final RequestDecoder decoder;
  private final Charge charge;
  private final Lease reading = new Lease();
  private final ArrayDeque<Exchange> pending = new ArrayDeque<>();
  private final Outbox outbox = new Outbox();
  private Exchange fresh;
  private boolean ended;
  private String failure = "";
  private long frameDeadline = Long.MAX_VALUE;
  private int stage;
  private long step;
  private long sendDeadline = Long.MAX_VALUE;
  private long sendStep;
  private String refused = "";
  private boolean proven;
  private long moved;

  /**
   * A connection on which nothing came yet.
   *
   * @param budget of all connections together
   * @param place where it comes from; equal places share
   */
  public ServerConnection(
      ServerLimits limits, Optional<DataDesk> desk, HeapBudget budget, Object place) {
    this.limits = limits;
    this.desk = desk;
    this.charge = new Charge(budget, place, () -> moved, this::drop);
    this.decoder = new RequestDecoder(limits.maxAttachment(), desk, charge);
  }

  /** How many bytes to read next, at most; 0 while nothing is to be read. */
  public long wants() {
    if (ended || failed() || fresh != null) {
      return 0;
    }
    var full =
        reading.held()
            || pending.size() >= limits.maxPending()
            || outbox.waiting() > limits.maxUnsent()
            || outbox.heap() > (charge.isFullOfAnswers() ? FEW_UNSENT : limits.maxUnsent());
    return full && !decoder.within() ? 0 : decoder.wants();
  }

  /**
   * Whether the next bytes belong into {@link #memory()} at {@link #offset()}: read there, and told
   * by {@link #landed}. Others go by {@link #received}.
   */
  public boolean landing() {
    return decoder.landing();
  }

  /** Where the next bytes belong: registered memory. Only while {@link #landing()}. */
  public MemorySegment memory() {
    return decoder.memory();
  }

  /** Where in {@link #memory()}. */
  public long offset() {
    return decoder.offset();
  }

  /** So many bytes, at most {@link #wants()}, are where they belong. */
  public void landed(long count, long now) {
    decoder.landed(count);
    came(now);
  }

  /** Takes bytes that were read: at most {@link #wants()}. */
  public void received(MemorySegment from, long offset, int count, long now) {
    charge.at(now);
    decoder.accept(from, offset, count);
    came(now);
  }

  private void drop() {
    decoder.drop();
  }

  private void came(long now) {
    if (decoder.broken()) {
      broken(now);
    } else if (decoder.wants() == 0) {
      complete(decoder.take(), now);
      frameDeadline = Long.MAX_VALUE;
    } else {
      progress(now);
    }
  }

  /** The peer sends no more. What it asked for is still answered. */
  public void ended() {
    ended = true;
    if (decoder.within() && !failed()) {
      failure = "the peer ended the stream within a frame";
      forgetPending();
    }
    frameDeadline = Long.MAX_VALUE;
  }

  /** The request that the last bytes completed, once; null if there is none. */
  public Exchange take() {
    var taken = fresh;
    fresh = null;
    return taken;
  }

  /**
   * Answers a request.
   *
   * @return false if it was answered before, or the connection is over
   */
  public boolean answer(Exchange exchange, byte[] attachment, long now) {
    return answer(exchange, Frames.reply(exchange.sequence(), attachment.length), attachment, now);
  }

  /** Answers a request with an error. */
  public boolean refuse(Exchange exchange, int code, String text, long now) {
    return answer(exchange, Frames.error(code, exchange.sequence(), text), NOTHING, now);
  }

  private boolean answer(Exchange exchange, byte[] head, byte[] attachment, long now) {
    if (exchange.answered() || failed()) {
      return false;
    }
    exchange.answer(head, attachment);
    charge.answered(exchange.letGo());
    drain(now);
    return true;
  }

  /** What waits to be sent; tell {@link #sent} of what went out. */
  public Outbox outbox() {
    return outbox;
  }

  /** Some of the outbox went out. A good piece counts, or all that waited; a byte does not. */
  public void sent(long count, long now) {
    outbox.sent(count);
    charge.unsent(outbox.heap());
    if (outbox.waiting() == 0) {
      sendDeadline = Long.MAX_VALUE;
    } else if (outbox.sent() / STEP != sendStep) {
      sendStep = outbox.sent() / STEP;
      moved = now;
      sendDeadline = now + limits.progressTimeout();
    }
  }

  /** Why data was refused last, once; else an empty text. */
  public String takeRefusal() {
    var text = refused;
    refused = "";
    return text;
  }

  /** The connection is gone: lets go of all memory that it held. */
  public void release() {
    decoder.release();
    charge.release();
    reading.release();
  }

  /** Whether the connection is to be closed now: all that could be sent was sent. */
  public boolean over() {
    return (failed() || ended && pending.isEmpty()) && outbox.waiting() == 0;
  }

  /** Why the connection ends, or an empty text if nothing is wrong. */
  public String failure() {
    return failure;
  }

  /** Whether nothing is under way on it: it could be closed without harm. */
  public boolean idle() {
    return pending.isEmpty() && outbox.waiting() == 0 && !decoder.within();
  }

  /** Whether a whole request ever came. */
  public boolean proven() {
    return proven;
  }

  /** Whether nothing is waited for but an answer of this node. */
  public boolean awaitsUs() {
    return !pending.isEmpty() && outbox.waiting() == 0 && !decoder.within();
  }

  /** When something last moved: a good piece of half a request, a request, or of an answer. */
  public long moved() {
    return moved;
  }

  /** When {@link #expire} is to be called, at the latest. */
  public long deadline() {
    var first = pending.isEmpty() ? Long.MAX_VALUE : pending.peek().deadline();
    return Math.min(first, Math.min(frameDeadline, sendDeadline));
  }

  /** Ends what took too long. Returns true if the connection is to be dropped at once. */
  public boolean expire(long now) {
    if (passed(sendDeadline, now)) {
      failure = "the peer does not read what it is sent";
      return true;
    }
    if (passed(frameDeadline, now) && !failed()) {
      failure = "a frame stands still after " + decoder.arrived() + " bytes of a part of it";
      return true;
    }
    while (!pending.isEmpty() && passed(pending.peek().deadline(), now)) {
      refuse(pending.peek(), RpcError.TIMED_OUT, "it was not answered in time", now);
    }
    return false;
  }

  private static boolean passed(long deadline, long now) {
    return deadline != Long.MAX_VALUE && deadline - now <= 0;
  }

  private boolean failed() {
    return !failure.isEmpty();
  }

  private void complete(RpcRequest request, long now) {
    proven = true;
    moved = now;
    var taken = charge.whole(request.attachment().length);
    var exchange = new Exchange(request, now + limits.requestTimeout(), taken);
    pending.add(exchange);
    if (request.landed()) {
      data(exchange, request, now);
      return;
    }
    switch (request.refusal()) {
      case 0 -> fresh = exchange;
      case RpcError.NOT_REGISTERED ->
          refuse(exchange, request.refusal(), "the rpc function not registered", now);
      case RpcError.THROWN ->
          refuse(
              exchange,
              request.refusal(),
              RpcError.text(
                  FailureCode.RESOURCE,
                  "too many bytes of messages are on their way to this node (rpc.max-buffered);"
                      + " send it again later"),
              now);
      default -> refuse(exchange, request.refusal(), "invalid rpc function arguments", now);
    }
  }

  private void data(Exchange exchange, RpcRequest request, long now) {
    if (request.function() == Functions.SEND_DATA) {
      refused = request.problem();
    } else {
      refused = desk.orElseThrow().read(request.attachment(), reading);
      if (reading.held()) {
        long length = DataCodec.length(request.attachment());
        exchange.answer(Frames.reply(exchange.sequence(), (int) length), reading, length);
        drain(now);
        return;
      }
    }
    if (refused.isEmpty() || !request.codes()) {
      answer(exchange, refused.getBytes(UTF_8), now);
    } else {
      var coded = (DataDesk.code(refused) + ": " + refused).getBytes(UTF_8);
      answer(exchange, Frames.refusal(exchange.sequence(), coded.length), coded, now);
    }
  }

  /** What came before is answered no more: the peer cannot be followed. */
  private void broken(long now) {
    frameDeadline = Long.MAX_VALUE;
    if (decoder.tooLarge() && pending.isEmpty()) {
      outbox.add(Frames.error(RpcError.TOO_LARGE, decoder.sequence(), decoder.violation()));
      sending(now);
    }
    forgetPending();
    failure = decoder.violation();
  }

  /** Nothing is answered any more: what is asked for would else be waited for without end. */
  private void forgetPending() {
    pending.forEach(exchange -> charge.answered(exchange.letGo()));
    pending.clear();
  }

  private void drain(long now) {
    while (!pending.isEmpty() && pending.peek().answered()) {
      pending.poll().moveTo(outbox);
    }
    sending(now);
  }

  private void sending(long now) {
    moved = now;
    charge.unsent(outbox.heap());
    if (sendDeadline == Long.MAX_VALUE && outbox.waiting() > 0) {
      sendDeadline = now + limits.progressTimeout();
    }
  }

  /** A part that ended, or a good piece of a long one, counts; a byte at a time does not. */
  private void progress(long now) {
    long at = decoder.arrived() / STEP;
    if (frameDeadline == Long.MAX_VALUE || decoder.stage() != stage || at != step) {
      frameDeadline = now + limits.progressTimeout();
      moved = now;
      stage = decoder.stage();
      step = at;
    }
  }
}

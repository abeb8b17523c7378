package dev.shunt.runtime.control.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.Verdict;
import dev.shunt.runtime.json.MalformedException;
import java.util.List;
import java.util.Optional;

/**
 * What this node knows of one peer by Hello: which process it is, and what was agreed on. One Hello
 * is in flight at most; an answer to an earlier one than the last is dropped.
 */
public final class Greeting {
  private final String self;
  private final long generation;
  private final Offer offer;
  private final List<String> required;
  private long attempt;
  private boolean asking;
  private long expected;
  private Outcome outcome;

  /** Greets for a node. */
  public Greeting(String self, long generation, Offer offer, List<String> required) {
    this.self = self;
    this.generation = generation;
    this.offer = offer;
    this.required = List.copyOf(required);
  }

  /** What came of it. */
  public sealed interface Outcome {
    /** It is this process, and this was agreed on. */
    record Met(long generation, Verdict verdict) implements Outcome {}

    /** It knows no Hello: nothing but TENT's own protocol is spoken to it. */
    record Plain() implements Outcome {}

    /**
     * It is another process than the descriptor told of. What is known of the old one is to be
     * dropped, and the descriptor to be read again; then greet anew.
     *
     * @param generation the process that is there now
     * @param retired the one that is over
     */
    record Stale(long generation, long retired) implements Outcome {}

    /**
     * It will not deal with us, or we will not with it.
     *
     * @param code the peer's, for machines; empty if it told none, or if it is we who refuse
     */
    record Refused(long generation, String reason, Optional<Refusal> code) implements Outcome {}

    /** It did not answer, or not as it should. */
    record Failed(Fault fault) implements Outcome {}
  }

  /**
   * A Hello to be sent.
   *
   * @param attempt to be told with the answer
   */
  public record Ask(long attempt, Hello hello) {}

  /**
   * Asks, unless a Hello is in flight already.
   *
   * @return what to send, or nothing if an answer is awaited
   */
  public Optional<Ask> greet() {
    if (asking) {
      return Optional.empty();
    }
    asking = true;
    attempt++;
    return Optional.of(
        new Ask(attempt, new Hello(Hello.VERSION, self, generation, expected, offer)));
  }

  /** Whether an answer is awaited. */
  public boolean asking() {
    return asking;
  }

  /** What came of the last Hello that was answered, if it still stands. */
  public Optional<Outcome> outcome() {
    return Optional.ofNullable(outcome);
  }

  /** The generation that is known, or 0. */
  public long known() {
    return expected;
  }

  /**
   * The peer's descriptor tells its generation. If it is another one than is known, the old one is
   * over, and a Hello in flight to it counts no more.
   *
   * @return the generation that is over, or 0
   */
  public long described(long described) {
    if (described == expected) {
      return 0;
    }
    var retired = expected;
    expected = described;
    outcome = null;
    asking = false;
    attempt++;
    return retired;
  }

  /**
   * An answer came.
   *
   * @return what came of it; nothing if it answers an earlier Hello
   */
  public Optional<Outcome> answered(long answeredAttempt, byte[] reply) {
    if (!asking || answeredAttempt != attempt) {
      return Optional.empty();
    }
    try {
      return settle(judge(HelloCodec.readReply(reply)));
    } catch (MalformedException malformed) {
      return settle(
          new Outcome.Failed(
              new Fault(Blame.REMOTE, FailureCode.PROTOCOL, Effect.NONE, malformed.getMessage())));
    }
  }

  /**
   * No answer came.
   *
   * @return what came of it; nothing if it was an earlier Hello
   */
  public Optional<Outcome> failed(long failedAttempt, Fault fault) {
    return asking && failedAttempt == attempt
        ? settle(new Outcome.Failed(fault))
        : Optional.empty();
  }

  private Optional<Outcome> settle(Outcome settled) {
    asking = false;
    outcome = settled;
    return Optional.of(settled);
  }

  private Outcome judge(HelloReply reply) {
    return switch (reply) {
      case HelloReply.Plain plain -> new Outcome.Plain();
      case HelloReply.StaleGeneration stale ->
          new Outcome.Stale(stale.generation(), know(stale.generation()));
      case HelloReply.Refused refused -> {
        know(refused.generation());
        var code = refused.code().map(known -> known + ": ").orElse("");
        yield new Outcome.Refused(
            refused.generation(), "the peer refuses: " + code + refused.reason(), refused.code());
      }
      case HelloReply.Ok ok -> met(ok);
    };
  }

  private Outcome met(HelloReply.Ok ok) {
    if (expected != 0 && expected != ok.generation()) {
      // It should have said so itself; the descriptor is as old either way.
      return new Outcome.Stale(ok.generation(), know(ok.generation()));
    }
    know(ok.generation());
    var verdict = Negotiation.verdict(offer, ok.offer());
    var missing = Negotiation.missing(required, offer, ok.offer(), verdict);
    return missing.isPresent()
        ? new Outcome.Refused(ok.generation(), missing.get(), Optional.empty())
        : new Outcome.Met(ok.generation(), verdict);
  }

  private long know(long told) {
    var before = expected;
    expected = told;
    return before == told ? 0 : before;
  }
}

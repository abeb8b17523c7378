package dev.shunt.transport.rdma.testing;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Attempts;
import dev.shunt.api.spi.Fault;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A node's calls that may block: as many at a time as a test lets them, each for as long. */
public final class TestAttempts implements Attempts {
  private final TestNode node;

  /** How long each blocks. */
  public long delay;

  /** How many were run. */
  public int run;

  /** How many block at this time. */
  public int blocked;

  /** As many may block at a time, as in an engine; more are not tried. */
  public int atMost = 32;

  TestAttempts(TestNode node) {
    this.node = node;
  }

  @Override
  public <T> void run(
      String what, Callable<T> call, long deadline, BiConsumer<T, Fault> answer, Consumer<T> late) {
    if (blocked == atMost) {
      node.execute(() -> answer.accept(null, fault(FailureCode.RESOURCE, what + " was not tried")));
      return;
    }
    run++;
    blocked++;
    boolean tooLong = node.now() + delay > deadline;
    if (tooLong) {
      var fault = fault(FailureCode.DEADLINE, what + " takes too long");
      node.at(deadline, () -> answer.accept(null, fault));
    }
    // The call has begun when it blocks.
    T result = called(call);
    node.at(
        node.now() + delay,
        () -> {
          blocked--;
          if (tooLong) {
            late.accept(result);
          } else {
            answer.accept(result, null);
          }
        });
  }

  private static Fault fault(FailureCode code, String text) {
    return new Fault(Fault.Blame.LOCAL, code, Fault.Effect.NONE, text);
  }

  private static <T> T called(Callable<T> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}

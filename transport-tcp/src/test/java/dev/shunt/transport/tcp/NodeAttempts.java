package dev.shunt.transport.tcp;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Attempts;
import dev.shunt.api.spi.Fault;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Calls that may block: here they take a moment of virtual time. */
record NodeAttempts(Node node) implements Attempts {
  @Override
  public <T> void run(
      String what, Callable<T> call, long deadline, BiConsumer<T, Fault> answer, Consumer<T> late) {
    node.supervisor().at(node.now() + Node.SECOND / 1000, () -> run(call, answer));
  }

  private static <T> void run(Callable<T> call, BiConsumer<T, Fault> answer) {
    try {
      answer.accept(call.call(), null);
    } catch (Exception e) {
      answer.accept(
          null,
          new Fault(Fault.Blame.REMOTE, FailureCode.UNREACHABLE, Fault.Effect.NONE, e.toString()));
    }
  }
}

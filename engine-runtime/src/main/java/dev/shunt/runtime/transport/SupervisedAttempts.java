package dev.shunt.runtime.transport;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Attempts;
import dev.shunt.api.spi.Fault;
import dev.shunt.runtime.agent.Platform;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Blocking calls on threads of their own, with a deadline kept by the supervisor. */
final class SupervisedAttempts implements Attempts {
  private final Platform platform;
  private final SupervisorAgent supervisor;

  SupervisedAttempts(Platform platform, SupervisorAgent supervisor) {
    this.platform = platform;
    this.supervisor = supervisor;
  }

  @Override
  public <T> void run(
      String what, Callable<T> call, long deadline, BiConsumer<T, Fault> answer, Consumer<T> late) {
    supervisor.execute(() -> new Attempt<>(what, deadline, answer, late).begin(call));
  }

  /** One call. All but the call itself happens on the supervisor. */
  private final class Attempt<T> {
    private final String what;
    private final BiConsumer<T, Fault> answer;
    private final Consumer<T> late;
    private final SupervisorAgent.Timer timer;
    private boolean answered;

    Attempt(String what, long deadline, BiConsumer<T, Fault> answer, Consumer<T> late) {
      this.what = what;
      this.answer = answer;
      this.late = late;
      this.timer =
          supervisor.at(
              deadline, () -> end(null, fault(FailureCode.DEADLINE, "has not returned in time")));
    }

    void begin(Callable<T> call) {
      var begun =
          platform.sacrifice(
              what, call, (result, thrown) -> supervisor.execute(() -> returned(result, thrown)));
      if (!begun) {
        end(null, fault(FailureCode.RESOURCE, "was not tried: too many such calls block"));
      }
    }

    private void returned(T result, Throwable thrown) {
      if (!answered) {
        end(result, thrown == null ? null : fault(FailureCode.DEVICE, "failed: " + thrown));
      } else if (result != null) {
        late.accept(result);
      }
    }

    private void end(T result, Fault fault) {
      if (!answered) {
        answered = true;
        timer.cancel();
        answer.accept(result, fault);
      }
    }

    private Fault fault(FailureCode code, String text) {
      return new Fault(Fault.Blame.LOCAL, code, Fault.Effect.POSSIBLE, what + " " + text);
    }
  }
}

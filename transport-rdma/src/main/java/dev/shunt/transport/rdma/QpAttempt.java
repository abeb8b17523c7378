package dev.shunt.transport.rdma;

import dev.shunt.api.spi.Attempts;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.transport.rdma.QpSet.Outcome;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/** One call that connects QPs. Until {@link QpAttempts.Done#released} they are in its hand. */
final class QpAttempt {
  private final String what;
  private final Callable<Outcome> call;
  private final long deadline;
  private final QpAttempts.Done done;
  private final AtomicBoolean claimed = new AtomicBoolean();
  private Supervisor.Timer timer = () -> {};

  QpAttempt(String what, Callable<Outcome> call, long deadline, QpAttempts.Done done) {
    this.what = what;
    this.call = call;
    this.deadline = deadline;
    this.done = done;
  }

  void timer(Supervisor.Timer until) {
    timer = until;
  }

  /** Its turn did not come in time. */
  void neverBegan(int others) {
    done.ended(
        Outcome.failed(what + " did not begin in time: " + others + " such calls are under way"),
        false);
  }

  /**
   * Its turn has come.
   *
   * @param freed called when another may begin
   */
  void begin(Attempts attempts, Runnable freed) {
    timer.cancel();
    attempts.run(
        what,
        this::connect,
        deadline,
        (outcome, fault) -> {
          // First who waits: what this one's end leads to may come back here.
          freed.run();
          answer(outcome, fault);
        },
        late -> done.released());
  }

  private Outcome connect() throws Exception {
    if (!claimed.compareAndSet(false, true)) {
      return Outcome.failed("given up before it began");
    }
    try {
      return call.call();
    } catch (RuntimeException | Error e) {
      // It has returned, and must say so: its QPs are not in its hand any more.
      return Outcome.failed("connecting failed: " + e);
    }
  }

  private void answer(Outcome outcome, Fault fault) {
    if (fault == null) {
      done.ended(outcome, false);
    } else {
      // Where it never began, it never will.
      boolean never = claimed.compareAndSet(false, true);
      done.ended(Outcome.failed(fault.text()), !never);
    }
  }
}

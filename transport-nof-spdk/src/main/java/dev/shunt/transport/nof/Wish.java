package dev.shunt.transport.nof;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.TransportContext;
import java.util.function.Consumer;

/** Something asked for, that ends once: it is had, it failed, or its deadline passed. */
final class Wish {
  private final Consumer<Fault> failed;
  private final Supervisor.Timer timer;
  private boolean over;

  Wish(TransportContext context, String what, long deadline, Consumer<Fault> failed) {
    this.failed = failed;
    timer =
        context
            .supervisor()
            .at(
                deadline,
                () ->
                    fail(
                        new Fault(
                            Fault.Blame.REMOTE,
                            FailureCode.UNREACHABLE,
                            Fault.Effect.NONE,
                            what + ": not done by its deadline")));
  }

  /** Whether somebody still waits for it. */
  boolean open() {
    return !over;
  }

  /** It is had; false if it is over already. */
  boolean fulfil() {
    if (over) {
      return false;
    }
    over = true;
    timer.cancel();
    return true;
  }

  void fail(Fault fault) {
    if (fulfil()) {
      failed.accept(fault);
    }
  }
}

package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Supervisor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Looks whether rails work again: the context is made anew where that is asked for, or where it is
 * of no use; the port is active; its address is read again; a write to itself arrives. The
 * supervisor's.
 *
 * <p>One check of a rail at a time. What is asked for meanwhile waits for its end; of several that
 * wait only the last one is made.
 */
final class RailCheck {
  private final Workshop shop;
  private final Map<RdmaRail, Run> running = new HashMap<>();
  private final Map<RdmaRail, Run> waiting = new HashMap<>();

  RailCheck(Workshop shop) {
    this.shop = shop;
  }

  /** At the transport's end: what is under way is given up. */
  void close() {
    running.values().forEach(run -> run.step.run());
    running.clear();
    waiting.clear();
  }

  /** As {@link dev.shunt.api.spi.Transport#check}. */
  void begin(RdmaRail rail, boolean anew, long deadline, Consumer<Optional<Fault>> answer) {
    var run = new Run(rail, anew, deadline, answer);
    if (running.putIfAbsent(rail, run) == null) {
      run.begin();
      return;
    }
    var displaced = waiting.put(rail, run);
    if (displaced != null) {
      displaced.answer("another check was asked for before this one began");
    }
  }

  private final class Run {
    private final RdmaRail rail;
    private final boolean anew;
    private final long deadline;
    private final Consumer<Optional<Fault>> told;
    private Supervisor.Timer timer = () -> {};
    private Runnable step = () -> {};
    private boolean answered;

    Run(RdmaRail rail, boolean anew, long deadline, Consumer<Optional<Fault>> told) {
      this.rail = rail;
      this.anew = anew;
      this.deadline = deadline;
      this.told = told;
    }

    void begin() {
      timer = shop.context().supervisor().at(deadline, () -> answer("it did not end in time"));
      if (anew || rail.life().erred()) {
        step = Renewal.run(shop, rail, deadline, problem -> then(problem, this::look));
      } else {
        look();
      }
    }

    private void then(String problem, Runnable next) {
      if (!problem.isEmpty()) {
        end(problem);
      } else if (answered) {
        over();
      } else {
        next.run();
      }
    }

    private void look() {
      var problem = shop.watch().look(rail);
      if (!problem.isEmpty()) {
        end(problem);
        return;
      }
      step =
          Loopback.run(
              shop.context(),
              shop.settings().endpoint(),
              rail,
              deadline,
              found -> then(found, this::pass));
    }

    private void pass() {
      // The port may have gone, or a queue may have broken, while the write was under way.
      if (rail.life().lost()) {
        end("its context was lost meanwhile");
      } else if (!rail.life().linked()) {
        end("its link was lost meanwhile");
      } else {
        rail.life().pass();
        rail.refresh();
        end("");
      }
    }

    private void end(String problem) {
      answer(problem);
      over();
    }

    /** Nothing of it is under way any more. */
    private void over() {
      running.remove(rail);
      var next = waiting.remove(rail);
      if (next != null) {
        running.put(rail, next);
        next.begin();
      }
    }

    void answer(String problem) {
      if (answered) {
        return;
      }
      answered = true;
      timer.cancel();
      told.accept(
          problem.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  new Fault(
                      Blame.LOCAL,
                      FailureCode.DEVICE,
                      Effect.NONE,
                      "rail " + rail + " does not work: " + problem)));
    }
  }
}

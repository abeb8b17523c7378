package dev.shunt.transport.tcp;

import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Supervisor;
import java.util.Optional;
import java.util.function.Consumer;

/** One fence that is told to several lanes. Owned by the thread that began it. */
final class FenceRound {
  private final Mailbox home;
  private final Consumer<Boolean> end;
  private int missing;
  private boolean waiting;
  private Optional<Supervisor.Timer> timer = Optional.empty();

  /**
   * Begins one.
   *
   * @param home the mailbox of the thread that begins it
   * @param end called on that thread, once, unless {@link #complete} was true: whether the link is
   *     fenced
   */
  FenceRound(Mailbox home, Consumer<Boolean> end) {
    this.home = home;
    this.end = end;
  }

  /** Asks a lane. A lane that has ended has no streams: that is as good as an answer. */
  void ask(Mailbox lane, Runnable task) {
    missing++;
    if (!lane.execute(task)) {
      missing--;
    }
  }

  /** A lane has done it. Called on that lane's thread. */
  void answered() {
    home.execute(this::count);
  }

  /** Whether all lanes have answered; otherwise the end is called later. */
  boolean complete() {
    waiting = missing > 0;
    return !waiting;
  }

  /** Gives up at a time. On the supervisor thread, which must be its home. */
  void until(Supervisor supervisor, long deadline) {
    timer = Optional.of(supervisor.at(deadline, () -> finish(false)));
  }

  private void count() {
    missing--;
    if (missing == 0) {
      finish(true);
    }
  }

  private void finish(boolean done) {
    if (waiting) {
      waiting = false;
      timer.ifPresent(Supervisor.Timer::cancel);
      end.accept(done);
    }
  }
}

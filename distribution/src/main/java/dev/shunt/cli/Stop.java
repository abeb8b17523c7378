package dev.shunt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * How a command ends before its time: by a signal, or by the end of an input. The first signal asks
 * the command to clean up; another one, a second later or more, ends the process at once, and so
 * does the clock if cleaning up takes too long.
 */
final class Stop implements AutoCloseable {
  private static final int SIGNAL_BASE = 128;

  private final String command;
  private final PrintWriter err;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Asked asked = new Asked();
  private final Signals signals;
  private Runnable reaction;
  private Duration patience = Duration.ofSeconds(60);

  /** What ended it: as {@code TERM} and 15. */
  record Signal(String name, int number) {
    /** That of a process which such a signal ended. */
    int exitCode() {
      return SIGNAL_BASE + number;
    }
  }

  /**
   * Takes signals until it is closed.
   *
   * @param command for what is told
   * @param reaction what the first one does, on a thread of the JVM's
   */
  Stop(String command, PrintWriter err, Runnable reaction) {
    this.command = command;
    this.err = err;
    this.reaction = reaction;
    this.signals = Signals.take(this::taken);
  }

  /** From here on the first signal does no more than end {@link #await}. */
  synchronized void onlyAwaited() {
    reaction = () -> {};
  }

  /** How long a command may clean up after the first signal. */
  synchronized void patience(Duration duration) {
    patience = duration;
  }

  private void taken(String name, int number) {
    switch (asked.by(new Signal(name, number), System.nanoTime())) {
      case END -> {
        first();
        ending.countDown();
      }
      case NOTHING -> {}
      case END_AT_ONCE -> {
        tell("SIG" + name + " again: ending at once");
        Parts.discard();
        Runtime.getRuntime().halt(SIGNAL_BASE + number);
      }
    }
  }

  private synchronized void first() {
    var limit = patience;
    Thread.ofPlatform().daemon().name("shunt-stop").start(() -> giveUp(limit));
    reaction.run();
  }

  private void giveUp(Duration limit) {
    try {
      Thread.sleep(limit);
    } catch (InterruptedException _) {
      return;
    }
    tell("not closed within " + limit.toSeconds() + " s of the signal: ending at once");
    Parts.discard();
    Runtime.getRuntime().halt(ExitCode.FAILED.number());
  }

  private void tell(String text) {
    Errors.report(err, command, text);
  }

  /** The signal that asked for the end, if one did. */
  Optional<Signal> signal() {
    return asked.first();
  }

  /** Asks for the end once an input has none left. */
  void whenEnds(InputStream input) {
    Thread.ofPlatform()
        .daemon()
        .name("shunt-input")
        .start(
            () -> {
              try {
                input.transferTo(java.io.OutputStream.nullOutputStream());
              } catch (IOException _) {
                // An input that cannot be read any more has ended too.
              } finally {
                ending.countDown();
              }
            });
  }

  /** Waits until somebody asks for the end. */
  void await() throws InterruptedException {
    ending.await();
  }

  /** The command has cleaned up: signals are the JVM's again. */
  @Override
  public void close() {
    signals.close();
  }
}

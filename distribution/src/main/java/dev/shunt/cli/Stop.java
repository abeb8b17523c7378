package dev.shunt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keeps a process until somebody wants it gone: a signal, or the end of an input. A signal ends the
 * process with the code that its command gives, and not with the signal's own, once the command has
 * cleaned up.
 */
final class Stop {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CompletableFuture<Integer> ended = new CompletableFuture<>();
  private final Thread hook;

  /**
   * @param seconds how long a signal waits for the command to clean up
   */
  Stop(long seconds) {
    hook = new Thread(() -> end(seconds), "shunt-stop");
    Runtime.getRuntime().addShutdownHook(hook);
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
                asked.countDown();
              }
            });
  }

  /** Waits until somebody asks for the end. */
  void await() throws InterruptedException {
    asked.await();
  }

  /** The command has cleaned up. */
  void ended(int code) {
    ended.complete(code);
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The process is ending, and the hook with it.
    }
  }

  private void end(long seconds) {
    asked.countDown();
    int code = ExitCode.FAILED.number();
    try {
      code = ended.get(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      System.err.println("shunt: not closed within " + seconds + " s of the signal: " + e);
    }
    System.out.flush();
    Runtime.getRuntime().halt(code);
  }
}

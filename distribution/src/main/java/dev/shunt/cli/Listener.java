package dev.shunt.cli;

import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ReceivedNotification;
import dev.shunt.api.ShuntException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Takes notifications on a thread of its own, where it may wait for the engine as the engine's own
 * threads may not.
 */
final class Listener implements AutoCloseable {
  private static final Duration TURN = Duration.ofSeconds(60);

  private final Thread thread;

  /** Gives each notification to somebody who is called on one thread only. */
  Listener(Engine engine, Taker taker, Consumer<String> complaints) {
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("shunt-listener")
            .start(() -> listen(engine, taker, complaints));
  }

  private static void listen(Engine engine, Taker taker, Consumer<String> complaints) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        var received = engine.inbox().receive(TURN);
        if (received.isPresent()) {
          taker.take(received.get());
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    } catch (ShuntException e) {
      if (e.code() != FailureCode.CLOSED) {
        complaints.accept("notifications are not taken any more: " + e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(15));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes a notification. */
  interface Taker {
    void take(ReceivedNotification received) throws InterruptedException;
  }
}

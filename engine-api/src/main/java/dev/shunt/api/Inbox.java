package dev.shunt.api;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Notifications that arrived. Bounded ({@code shunt.notification.inbox-size}): when it is full the
 * sender is refused, nothing is dropped silently. Any thread.
 */
public interface Inbox {
  /** Takes the oldest, if there is one. */
  Optional<ReceivedNotification> poll();

  /** Waits for one. */
  Optional<ReceivedNotification> receive(Duration timeout) throws InterruptedException;

  /**
   * Hands each one to a subscriber from now on, those that wait first, on the engine's delivery
   * thread, instead of to {@link #poll} and {@link #receive}. What it throws is logged and counted.
   *
   * @return ends the subscription when closed
   */
  Subscription subscribe(Consumer<ReceivedNotification> subscriber);

  /** A subscription. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}

package dev.shunt.runtime.engine;

import dev.shunt.api.Inbox;
import dev.shunt.api.ReceivedNotification;
import dev.shunt.runtime.agent.Nanos;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The inbox. It is made before anything listens, so that nothing can arrive too early. */
final class InboxQueue implements Inbox {
  private static final Logger LOG = LoggerFactory.getLogger(InboxQueue.class);
  private static final int PER_TURN = 64;

  private final ArrayBlockingQueue<ReceivedNotification> waiting;
  private final Executor delivery;
  private final AtomicReference<Consumer<ReceivedNotification>> subscriber =
      new AtomicReference<>();
  private final AtomicBoolean delivering = new AtomicBoolean();

  InboxQueue(int capacity, Executor delivery) {
    this.waiting = new ArrayBlockingQueue<>(capacity);
    this.delivery = delivery;
  }

  /** Takes a notification in; false if there is no room. Any thread. */
  boolean offer(ReceivedNotification notification) {
    if (!waiting.offer(notification)) {
      return false;
    }
    deliverSoon();
    return true;
  }

  int size() {
    return waiting.size();
  }

  @Override
  public Optional<ReceivedNotification> poll() {
    return Optional.ofNullable(waiting.poll());
  }

  @Override
  public Optional<ReceivedNotification> receive(Duration timeout) throws InterruptedException {
    return Optional.ofNullable(waiting.poll(Nanos.of(timeout), TimeUnit.NANOSECONDS));
  }

  @Override
  public Subscription subscribe(Consumer<ReceivedNotification> wanted) {
    if (!subscriber.compareAndSet(null, wanted)) {
      throw new dev.shunt.api.ShuntException(
          dev.shunt.api.FailureCode.REJECTED,
          "the inbox has a subscriber already; close its subscription first");
    }
    deliverSoon();
    return () -> subscriber.compareAndSet(wanted, null);
  }

  private void deliverSoon() {
    if (subscriber.get() != null && delivering.compareAndSet(false, true)) {
      delivery.execute(this::deliver);
    }
  }

  private void deliver() {
    delivering.set(false);
    for (int i = 0; i < PER_TURN; i++) {
      var wanted = subscriber.get();
      var next = wanted == null ? null : waiting.poll();
      if (next == null) {
        return;
      }
      try {
        wanted.accept(next);
      } catch (RuntimeException thrown) {
        LOG.error("the subscriber threw on notification {}", next.notification().name(), thrown);
      }
    }
    deliverSoon();
  }
}

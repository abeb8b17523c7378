package dev.shunt.transport.tcp.links;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.tcp.core.Interface;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a reader wait on threads that may block, one call after the other. Owned by the supervisor
 * thread; the reader by the call that is under way.
 */
final class LinkLoop implements LinkWatch {
  private static final Logger LOG = LoggerFactory.getLogger(LinkLoop.class);
  private static final String WHAT = "watching links";

  /** A call comes back after so long at the latest, so that a thread that hangs is noticed. */
  private static final long WAIT = 60_000_000_000L;

  private static final long GRACE = 30_000_000_000L;
  private static final long PAUSE = 1_000_000_000L;

  private static final int READING = 1;
  private static final int CLOSED = 2;

  private final TransportContext context;
  private final Consumer<List<Interface>> news;
  private final Supplier<LinkReader> opener;

  /** Whoever is the last of reader and closer closes the reader's file. */
  private final AtomicInteger state = new AtomicInteger();

  private volatile LinkReader reader;
  private boolean failing;

  LinkLoop(TransportContext context, Consumer<List<Interface>> news, Supplier<LinkReader> opener) {
    this.context = context;
    this.news = news;
    this.opener = opener;
  }

  void begin() {
    if (state.get() != CLOSED) {
      context.attempts().run(WHAT, this::read, context.now() + WAIT + GRACE, this::told, _ -> {});
    }
  }

  @Override
  public void close() {
    int before = state.getAndUpdate(it -> it | CLOSED);
    if (before == 0) {
      closeReader();
    } else if (before == READING) {
      var waiting = reader;
      if (waiting != null) {
        waiting.wake();
      }
    }
  }

  private Optional<List<Interface>> read() {
    if (!state.compareAndSet(0, READING)) {
      return Optional.empty();
    }
    try {
      var mine = reader;
      if (mine == null) {
        mine = opener.get();
        reader = mine;
      }
      // One that was closed while it was opened was not woken.
      return state.get() == READING ? mine.await(WAIT) : Optional.empty();
    } catch (RuntimeException failed) {
      closeReader();
      throw failed;
    } finally {
      if (state.getAndUpdate(it -> it & ~READING) != READING) {
        closeReader();
      }
    }
  }

  private void closeReader() {
    var mine = reader;
    if (mine != null) {
      reader = null;
      mine.close();
    }
  }

  private void told(Optional<List<Interface>> found, Fault fault) {
    if (state.get() == CLOSED) {
      return;
    }
    if (fault != null) {
      if (!failing) {
        LOG.warn("{}; it is tried again every second", fault.text());
      }
      failing = true;
      context.supervisor().at(context.now() + PAUSE, this::begin);
      return;
    }
    failing = false;
    begin();
    found.ifPresent(news);
  }
}

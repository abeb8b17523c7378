package dev.shunt.runtime.admin;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets visitors in, each on a thread of its own, so many at a time and each for so long. Whoever
 * comes is let in at once: where there is no room the one goes that came first of those that have
 * not asked for anything yet, or else of those that are being answered. So no crowd that connects
 * and keeps silent shuts out who has a question.
 */
final class Front implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Front.class);
  private static final int BACKLOG = 1024;
  private static final long REST_MILLIS = 50;

  private final ServerSocket listener;
  private final int most;
  private final long patience;
  private final Visit.Handler handler;

  /** Guarded by itself, and held for no longer than a look takes. */
  private final LinkedHashSet<Visit> visits = new LinkedHashSet<>();

  private volatile boolean closed;

  /**
   * Listens, and lets in.
   *
   * @param most visitors at a time
   * @param patience nanoseconds that each has
   */
  Front(InetSocketAddress address, int most, long patience, Visit.Handler handler)
      throws IOException {
    this.most = most;
    this.patience = patience;
    this.handler = handler;
    this.listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(address, BACKLOG);
    } catch (IOException taken) {
      listener.close();
      throw taken;
    }
    Thread.ofPlatform().daemon().name("shunt-admin").start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!closed) {
      try {
        var visit = new Visit(listener.accept(), patience);
        enter(visit);
        Thread.ofVirtual().name("shunt-admin-visit").start(() -> serve(visit));
      } catch (IOException failed) {
        if (!closed) {
          LOG.debug("a visitor could not be let in: {}", failed.toString());
          rest();
        }
      }
    }
  }

  /** Out of descriptors, mostly: an oldest visitor's is given back, and it is tried again. */
  private void rest() {
    synchronized (visits) {
      if (!visits.isEmpty()) {
        victim().close();
      }
    }
    try {
      Thread.sleep(REST_MILLIS);
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  private void enter(Visit visit) {
    synchronized (visits) {
      if (visits.size() >= most) {
        var victim = victim();
        visits.remove(victim);
        victim.close();
      }
      visits.add(visit);
    }
  }

  private Visit victim() {
    var victim = visits.getFirst();
    for (var each : visits) {
      if (each.stage().compareTo(victim.stage()) < 0) {
        victim = each;
      }
    }
    return victim;
  }

  private void serve(Visit visit) {
    try (visit) {
      visit.serve(handler);
    } finally {
      synchronized (visits) {
        visits.remove(visit);
      }
    }
  }

  /** Sends those away whose time is over. Called every now and then. */
  void sweep() {
    var now = System.nanoTime();
    for (var visit : present()) {
      if (visit.over(now)) {
        visit.close();
      }
    }
  }

  private List<Visit> present() {
    synchronized (visits) {
      return new ArrayList<>(visits);
    }
  }

  /** How many are there. */
  int visitors() {
    synchronized (visits) {
      return visits.size();
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      listener.close();
    } catch (IOException e) {
      LOG.debug("closing the listener: {}", e.toString());
    }
    present().forEach(Visit::close);
  }
}

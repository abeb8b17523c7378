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
 * comes is let in at once: where there is no room one goes that has its answer, or else of those
 * that have not asked yet, if they are a quarter of the room, or else of those that are being
 * answered; of each the one that came first. So neither a crowd that keeps silent nor one that does
 * not read its answers shuts out who has a question.
 */
final class Front implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Front.class);
  private static final int BACKLOG = 1024;
  private static final long REST_MILLIS = 50;

  /** Of the room: so many that have not asked yet stay as well as those that are answered. */
  private static final int ASKING_PART = 4;

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
        if (closed) {
          // It came in while the others were sent away.
          visit.close();
        }
      } catch (IOException | RuntimeException | Error failed) {
        // Whatever it is, such as too little heap: this thread goes on, or nobody is let in again.
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
    Visit victim = null;
    long asking = visits.stream().filter(each -> each.stage() == Visit.Stage.ASKING).count();
    boolean crowd = asking > most / ASKING_PART;
    for (var each : visits) {
      if (victim == null || rank(each, crowd) < rank(victim, crowd)) {
        victim = each;
      }
    }
    return victim;
  }

  private static int rank(Visit visit, boolean crowd) {
    return switch (visit.stage()) {
      case LEAVING -> 0;
      case ASKING -> crowd ? 1 : 3;
      case ANSWERED -> 2;
      case STAYING -> 4;
    };
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

package dev.shunt.runtime.engine;

import dev.shunt.api.Status.State;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Journal;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a node is at, from its start to its end; there is no way back. Any thread. */
final class NodeLife {
  private static final Logger LOG = LoggerFactory.getLogger(NodeLife.class);

  private final Journal journal;
  private final long generation;
  private final Instant started;
  private volatile Supplier<List<String>> watchdog = List::of;
  private State state = State.STARTING;

  NodeLife(Journal journal, long generation) {
    this.journal = journal;
    this.generation = generation;
    this.started = journal.now();
    journal.node(Change.NODE_STARTING, generation, "");
  }

  /** When it was started. */
  Instant started() {
    return started;
  }

  synchronized State state() {
    return state;
  }

  /** Whether it serves: it has turns, its descriptor is published, nobody stops it. */
  boolean ready() {
    return state() == State.READY;
  }

  /** Whether it takes something new. */
  boolean open() {
    return state().compareTo(State.DRAINING) < 0;
  }

  /** Who knows which threads stand still. */
  void watch(Supplier<List<String>> dog) {
    watchdog = dog;
  }

  /** Threads that make no progress. */
  List<String> stuck() {
    return watchdog.get();
  }

  void published() {
    change(State.READY, Change.NODE_READY);
  }

  void draining() {
    if (change(State.DRAINING, Change.NODE_DRAINING)) {
      LOG.info("{} takes nothing new and drains", journal.node());
    }
  }

  void stopped() {
    change(State.STOPPED, Change.NODE_STOPPED);
  }

  private synchronized boolean change(State next, Change change) {
    if (state.compareTo(next) >= 0) {
      return false;
    }
    state = next;
    journal.node(change, generation, "");
    return true;
  }
}

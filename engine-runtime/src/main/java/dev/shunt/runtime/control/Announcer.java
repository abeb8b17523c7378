package dev.shunt.runtime.control;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Supervisor.Timer;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.core.Subscribers;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells subscribers that this node's descriptor changed, as a TENT node does: best effort, and
 * never so that anything else waits. Many changes in a row are told as a few. On the control
 * thread, but for {@link #changed}.
 */
final class Announcer {
  private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);
  private static final int WINDOW = 64;

  /** A TENT node's descriptors live for an hour; it subscribes whenever it fetches one. */
  private static final long MAX_AGE = 2 * 3_600_000_000_000L;

  private static final long FIRST = 20_000_000L;
  private static final long GAP = 500_000_000L;
  private static final long PATIENCE = 5_000_000_000L;

  private final ControlService service;
  private final byte[] segment;
  private final Subscribers subscribers;
  private final AtomicBoolean changed = new AtomicBoolean();
  private Timer round;
  private Timer retry;
  private boolean began;
  private long lastRound;

  Announcer(ControlService service, String segment, int most) {
    this.service = service;
    this.segment = PlainFunctions.named(segment);
    this.subscribers = new Subscribers(most, WINDOW, MAX_AGE);
  }

  void subscribe(String address) {
    if (Places.parse(address).isEmpty()) {
      LOG.debug("the subscriber \"{}\" is no address, and is told nothing", address);
      return;
    }
    subscribers.subscribe(address, service.now());
  }

  List<String> subscribers() {
    return subscribers.all();
  }

  /** The descriptor is another one by now. Any thread. */
  void changed() {
    if (changed.compareAndSet(false, true) && !service.execute(this::plan)) {
      LOG.debug("the control plane is closed: nobody is told of the last change");
    }
  }

  private void plan() {
    if (round != null) {
      return;
    }
    var now = service.now();
    var first = now + FIRST;
    round = service.at(began && lastRound + GAP - first > 0 ? lastRound + GAP : first, this::begin);
  }

  private void begin() {
    round = null;
    began = true;
    lastRound = service.now();
    // From here on a change is a new one: what is told is read after this.
    changed.set(false);
    subscribers.changed(lastRound);
    tell();
  }

  private void tell() {
    if (retry != null) {
      retry.cancel();
      retry = null;
    }
    var now = service.now();
    for (var address : subscribers.next(now)) {
      service.call(
          address, Functions.SEGMENT_UPDATED, segment, now + PATIENCE, new Telling(address));
    }
    var deadline = subscribers.deadline();
    if (deadline != Long.MAX_VALUE) {
      retry = service.at(deadline, this::tell);
    }
  }

  private void told(String address, boolean reached) {
    if (subscribers.told(address, reached, service.now())) {
      LOG.debug("the subscriber {} is gone, and is told nothing any more", address);
    }
    tell();
  }

  private final class Telling implements CallHandler {
    private final String address;

    Telling(String address) {
      this.address = address;
    }

    @Override
    public void reply(byte[] attachment) {
      told(address, true);
    }

    @Override
    public void failed(Fault fault) {
      LOG.debug("the subscriber {} was not told of a change: {}", address, fault.text());
      // A call that is refused at once ends within the loop that made it.
      if (!service.execute(() -> told(address, false))) {
        LOG.debug("the control plane is closed");
      }
    }
  }
}

package dev.shunt.runtime.control;

import dev.shunt.api.spi.PeerHealth;
import dev.shunt.api.spi.Supervisor.Timer;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks those that do not answer whether they do by now, each as often as the policy's machine
 * wants. Each probe has a connection of its own from each of our rails: one that was made new,
 * since an old one recovers late after packets were lost. Probes of one peer overlap where their
 * timeout is longer than their interval, so that a late one takes no other's place. On the control
 * thread.
 */
final class Prober {
  private static final Logger LOG = LoggerFactory.getLogger(Prober.class);

  /** Connections at a time. With a timeout of 2 s that is 256 peers each second over one rail. */
  static final int MOST = 512;

  private final ControlService service;
  private final Routes routes;
  private final PeerHealth machine;
  private final PeerWatch watch;
  private final long timeout;
  private final LinkedHashSet<Probe> underWay = new LinkedHashSet<>();
  private volatile int count;
  private final Map<String, Integer> byAddress = new HashMap<>();
  private Timer timer;
  private boolean closed;

  /**
   * Probes nobody yet.
   *
   * @param timeout how long a probe may take, in nanoseconds
   */
  Prober(ControlService service, Routes routes, PeerHealth machine, PeerWatch watch, long timeout) {
    this.service = service;
    this.routes = routes;
    this.machine = machine;
    this.watch = watch;
    this.timeout = timeout;
  }

  /** Sees to it that the next probe is sent when it is due. */
  void arm() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    var next = machine.nextProbe();
    if (!closed && next != Long.MAX_VALUE && underWay.size() < MOST) {
      timer = service.at(next, this::tick);
    }
  }

  private void tick() {
    timer = null;
    var now = service.now();
    for (var address : machine.probes(MOST - underWay.size(), now)) {
      begin(address, now, false);
    }
    watch.refresh(now);
    arm();
  }

  /**
   * Asks at once, unless an answer is awaited already. Who does not answer is marked by it: it is
   * asked because a call was cut, which may mean that its process is another one by now, or that
   * there is none; or because it was marked just now.
   *
   * @param incidental whether it was only to be told of something
   */
  void ask(String address, boolean incidental) {
    if (!closed && !byAddress.containsKey(address) && underWay.size() < MOST) {
      begin(address, service.now(), incidental);
    }
    arm();
  }

  private void begin(String address, long now, boolean incidental) {
    var place = Places.parse(address);
    if (place.isEmpty()) {
      watch.unanswered(address, "it is not host:port", now);
    } else if (place.get().isUnresolved()) {
      service.resolve(
          place.get(),
          (found, problem) -> {
            if (found == null) {
              watch.unanswered(address, problem, service.now());
            } else {
              dial(address, found, incidental);
            }
          },
          problem -> LOG.debug("{} is not probed: {}", address, problem));
    } else {
      dial(address, place.get(), incidental);
    }
  }

  private void dial(String address, InetSocketAddress place, boolean incidental) {
    if (closed) {
      return;
    }
    var now = service.now();
    var round = new Round(address, now, incidental);
    for (var local : routes.locals(address)) {
      var probe = new Probe(service, round, local, now + timeout);
      underWay.add(probe);
      count = underWay.size();
      byAddress.merge(address, 1, Integer::sum);
      round.open++;
      round.sent++;
      probe.begin(place, service.maxFrame());
    }
  }

  /** The probes that one address is sent at a time, by all ways. */
  final class Round {
    private final String address;
    private int sent;
    private int open;
    private int answers;
    private boolean ours = true;
    private final long begun;
    private final boolean incidental;

    Round(String address, long begun, boolean incidental) {
      this.incidental = incidental;
      this.address = address;
      this.begun = begun;
    }

    /**
     * It answers, which is enough for it to be called, from there. The other probes go on: if it
     * answers by all ways it is called as ever.
     */
    void answered(Probe probe) {
      var marked = watch.mark(address).isPresent();
      if (answers++ == 0) {
        notAwaited(open);
      }
      if (answers == sent) {
        routes.answersAll(address);
      } else if (marked) {
        routes.answers(address, probe.local());
      }
      watch.answered(address, service.now());
      over(probe);
      arm();
    }

    /**
     * It does not.
     *
     * @param own whether the reason lies with this node
     */
    void failed(Probe probe, String why, boolean own) {
      ours &= own || service.stoodStillNow();
      over(probe);
      if (open == 0 && answers == 0 && !ours) {
        var now = service.now();
        if (watch.mark(address).isPresent()) {
          watch.unanswered(address, why, now);
        } else {
          watch.silent(address, why, begun, now, incidental);
        }
      }
      arm();
    }

    private void over(Probe probe) {
      if (underWay.remove(probe)) {
        count = underWay.size();
        open--;
        if (answers == 0) {
          notAwaited(1);
        }
      }
    }

    private void notAwaited(int probes) {
      byAddress.computeIfPresent(address, (a, count) -> count <= probes ? null : count - probes);
    }
  }

  /** How many probes are under way. Any thread. */
  int underWay() {
    return count;
  }

  void close() {
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
    for (var probe : List.copyOf(underWay)) {
      probe.end();
    }
    underWay.clear();
    count = 0;
  }
}

package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailHealth;
import dev.shunt.api.spi.RailHealth.Action;
import dev.shunt.api.spi.RailHealth.RailRecord;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.api.spi.Supervisor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;

/**
 * What the steward knows of one transport's own rails: takes what happens to the policy's machine,
 * and has done what that answers. Any thread may call it; what that begins happens on the
 * steward's.
 */
public final class RailBook {
  /** So many may wait for the end of one check. */
  private static final int MOST_WAITING = 64;

  private final Steward steward;
  private final RailHealth health;
  private final Hands hands;
  private final RailTales tales;
  private List<? extends Rail> rails = List.of();

  /** By rail: when a peer was read by a check of it last, and what is said of one without that. */
  private long[] verifiedAt = {};

  private String[] alone = {};
  private Waiting[] waiting = {};
  private Supervisor.Timer alarm;
  private long alarmAt = Long.MAX_VALUE;
  private volatile List<RailRecord> records = List.of();

  /** By rail: whether the machine counts failures that a success would end. */
  private volatile AtomicIntegerArray counting = new AtomicIntegerArray(0);

  /** What is done for it. Called on the steward's thread. */
  public interface Hands {
    /** A rail is to be used, or not: lanes are told. */
    void use(int rail, boolean active);

    /** A rail is to be checked; its end is told by {@link RailBook#checked}. */
    void check(int rail, long number, boolean anew);

    /** What is published of rails has changed. */
    void publish();
  }

  private static final class Waiting extends ArrayList<Consumer<RailRecord>> {
    private static final long serialVersionUID = 1;
  }

  /** A book of rails that are not known yet. */
  public RailBook(String transport, RailHealth health, Steward steward, Hands hands) {
    this.steward = steward;
    this.health = health;
    this.hands = hands;
    this.tales = new RailTales(transport, steward.journal());
  }

  /** These are the rails. Before anything is told of them. */
  void open(List<? extends Rail> found) {
    rails = List.copyOf(found);
    waiting = new Waiting[rails.size()];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = new Waiting();
    }
    verifiedAt = new long[rails.size()];
    Arrays.fill(verifiedAt, Long.MIN_VALUE);
    alone = new String[rails.size()];
    Arrays.fill(alone, "");
    counting = new AtomicIntegerArray(rails.size());
    tales.open(rails);
    look(steward.now());
  }

  // ---- what happens

  /** The transport says that a rail is out of use. */
  void inactive(int rail, RailLoss loss, String reason) {
    steward.execute(
        () -> {
          tales.again(rail);
          var now = steward.now();
          act(health.inactive(rail, loss, reason, now), now);
        });
  }

  /** The transport says that a rail's link is back. */
  void returned(int rail) {
    steward.execute(
        () -> {
          var now = steward.now();
          act(health.returned(rail, now), now);
        });
  }

  /** Something failed for which a rail is to blame. */
  void failed(int rail, Fault fault) {
    steward.execute(
        () -> {
          var now = steward.now();
          act(health.failed(rail, fault, now), now);
        });
    // Only now: a success that is seen from here on is told after the failure.
    counting.setRelease(rail, 1);
  }

  /** A rail carried something well. Mostly one look at a flag: told only if that is news. */
  void carried(int rail) {
    var flags = counting;
    if (flags.getOpaque(rail) != 0 && flags.compareAndSet(rail, 1, 0)) {
      steward.execute(
          () -> {
            health.succeeded(rail, steward.now());
            look(steward.now());
          });
    }
  }

  /** A check ended; with an empty text, well: a peer was read. On the steward's thread. */
  void checked(int rail, long number, String problem) {
    tales.checked(rail, problem);
    var now = steward.now();
    var actions = health.checked(rail, number, problem, now);
    if (!actions.isEmpty()) {
      verifiedAt[rail] = now;
    }
    act(actions, now);
  }

  /** A check ended well, but for that no peer was read by it. On the steward's thread. */
  void passedAlone(int rail, long number, String why) {
    var now = steward.now();
    var actions = health.checked(rail, number, "", now);
    if (!actions.isEmpty()) {
      alone[rail] = why + ": checked on this side only";
    }
    act(actions, now);
  }

  /**
   * An operator takes a rail out of use.
   *
   * @param answer called on the steward's thread when nothing new is given to it any more
   * @return false if the engine is closed
   */
  public boolean drain(int rail, Consumer<RailRecord> answer) {
    return steward.execute(
        () -> {
          var now = steward.now();
          act(health.drain(rail, now), now);
          answer.accept(records.get(rail));
        });
  }

  /**
   * An operator brings a rail back.
   *
   * @param answer called on the steward's thread when it is in use, or was found not to work
   * @return false if the engine is closed
   */
  public boolean restore(int rail, Consumer<RailRecord> answer) {
    return steward.execute(
        () -> {
          var now = steward.now();
          act(health.restore(rail, now), now);
          if (records.get(rail).checking() && waiting[rail].size() < MOST_WAITING) {
            waiting[rail].add(answer);
          } else {
            answer.accept(records.get(rail));
          }
        });
  }

  /** What is known of each rail, as of the last change. Any thread. */
  public List<RailRecord> records() {
    return records;
  }

  /** Whether a rail carries slices and is published so. Any thread. */
  public boolean active(int rail) {
    var known = records;
    return rail >= known.size() || known.get(rail).state() == RailHealth.State.ACTIVE;
  }

  // ---- what is done

  private void act(List<Action> actions, long now) {
    boolean publish = false;
    for (var action : actions) {
      switch (action) {
        case Action.Deactivate(var rail, var _) -> {
          hands.use(rail, false);
          publish = true;
        }
        case Action.Activate(var rail) -> {
          hands.use(rail, true);
          publish = true;
        }
        case Action.Check(var rail, var number, var anew) -> hands.check(rail, number, anew);
      }
    }
    look(now);
    // Traffic is on its way elsewhere by now; that peers hear of it comes after that.
    if (publish) {
      hands.publish();
    }
    arm();
  }

  private void look(long now) {
    var latest = new ArrayList<RailRecord>(rails.size());
    for (int i = 0; i < rails.size(); i++) {
      latest.add(record(i, now));
    }
    records = List.copyOf(latest);
    for (int i = 0; i < latest.size(); i++) {
      tales.at(i, latest.get(i), alone[i], now);
      if (!latest.get(i).checking() && !waiting[i].isEmpty()) {
        var over = waiting[i];
        waiting[i] = new Waiting();
        for (var answer : over) {
          answer.accept(latest.get(i));
        }
      }
    }
  }

  private RailRecord record(int rail, long now) {
    var known = health.record(rail, now);
    if (known.state() != RailHealth.State.ACTIVE) {
      alone[rail] = "";
    }
    var reason = known.reason();
    var note = alone[rail];
    return new RailRecord(
        known.state(),
        known.since(),
        known.changed(),
        note.isEmpty() ? reason : reason.isEmpty() ? note : reason + "; " + note,
        known.failuresInARow(),
        known.recoverAt(),
        known.checking(),
        verifiedAt[rail],
        known.nextDelay());
  }

  private void arm() {
    var next = health.nextDeadline();
    if (next == alarmAt) {
      return;
    }
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
    alarmAt = next;
    if (next != Long.MAX_VALUE) {
      alarm =
          steward.at(
              next,
              () -> {
                alarm = null;
                alarmAt = Long.MAX_VALUE;
                var now = steward.now();
                act(health.tick(now), now);
              });
    }
  }
}

package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.Transport;
import dev.shunt.runtime.control.core.EchoPage;
import dev.shunt.runtime.transfer.Lane;
import dev.shunt.runtime.transfer.RailEcho;
import dev.shunt.runtime.transport.core.EchoTries;
import dev.shunt.runtime.transport.core.EchoTry;
import dev.shunt.runtime.transport.core.EchoVerdict;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether rails work again. First what the transport itself sees; then a node that was met
 * and lends memory for it is read over a path from that very rail, several times. Who is silent to
 * the rail is asked otherwise, by its control plane and over another rail of ours: one that answers
 * there, and still not to the rail, tells that the rail does not work. With nobody who lends
 * memory, or who answers in any way, the first has to do. All of it on the steward's thread.
 */
final class RailChecks {
  private static final Logger LOG = LoggerFactory.getLogger(RailChecks.class);

  /** Paths that are tried at the same time. */
  private static final int AT_ONCE = 8;

  /** All of them together have no longer, whatever a connection may take. */
  private static final long MOST_PATIENCE = 60_000_000_000L;

  /** Each of them has so long at most, so that one that is silent leaves time for others. */
  private static final long MOST_TRY = 5_000_000_000L;

  /** Each of them has so long at least. */
  private static final long LEAST_TRY = 1_000_000_000L;

  /** A check that is not over so long after its deadline is taken for failed. */
  private static final long GRACE = 2_000_000_000L;

  private final String id;
  private final Steward steward;
  private final NodeServices node;
  private final SupervisorAgent supervisor;
  private final List<Lane> lanes;
  private final long patience;

  /** By rail, the places of the local memory that a check may still write to. */
  private final Map<Integer, BitSet> draining = new HashMap<>();

  private final Map<Integer, ArrayDeque<Runnable>> waiting = new HashMap<>();

  /** By rail, where among the nodes its last check began. */
  private final Map<Integer, Integer> begun = new HashMap<>();

  private Transport transport;
  private List<? extends Rail> rails = List.of();
  private RailBook book;

  RailChecks(
      String id,
      Steward steward,
      NodeServices node,
      SupervisorAgent supervisor,
      List<Lane> lanes,
      long patience) {
    this.id = id;
    this.steward = steward;
    this.node = node;
    this.supervisor = supervisor;
    this.lanes = lanes;
    this.patience = Math.min(patience, MOST_PATIENCE);
  }

  /** These are the rails, before any is checked. */
  void open(Transport worker, List<? extends Rail> found, RailBook toldTo) {
    transport = worker;
    rails = found;
    book = toldTo;
  }

  /** Begins a check; its end is told to the book. */
  void begin(int rail, long number, boolean anew) {
    new Run(rail, number).begin(anew);
  }

  private final class Run {
    private final int rail;
    private final long number;
    private final long deadline = steward.now() + patience;
    private final EchoVerdict verdict = new EchoVerdict();
    private List<EchoPartner> partners = List.of();
    private ArrayDeque<EchoTry> tries;
    private int running;
    private int turn;
    private int questions;
    private Supervisor.Timer timer;
    private boolean over;

    Run(int rail, long number) {
      this.rail = rail;
      this.number = number;
    }

    void begin(boolean anew) {
      timer = steward.at(deadline + GRACE, this::late);
      // Echoes that never end do so with what the transport keeps for the rail.
      var full = place(rail) < 0;
      if (!supervisor.execute(() -> look(anew || full))) {
        steward.execute(() -> end("the engine is closing"));
      }
    }

    private void late() {
      var why = place(rail) < 0 ? ": earlier echoes have not ended" : "";
      var found = verdict.problem();
      end(found.isEmpty() ? "the check did not end in time" + why : found);
    }

    /** On the supervisor. A transport that throws must not leave a rail without an answer. */
    private void look(boolean anew) {
      try {
        transport.check(
            rails.get(rail), anew, deadline, found -> steward.execute(() -> seen(found)));
      } catch (RuntimeException thrown) {
        LOG.error("{} threw when asked to check rail {}", id, rails.get(rail).name(), thrown);
        steward.execute(() -> end(id + " threw " + thrown));
      }
    }

    private void seen(Optional<Fault> found) {
      if (over || tries != null) {
        return;
      }
      if (found.isPresent()) {
        end(found.get().text());
        return;
      }
      partners = node.echoPartners(id);
      int from = begun.merge(rail, EchoTries.MOST, Integer::sum);
      tries =
          new ArrayDeque<>(
              EchoTries.of(partners.stream().map(EchoPartner::choice).toList(), rail, from));
      next();
    }

    /**
     * Several at a time, so that those who are out of reach cost the others nothing; but of one
     * turn only, since a way around counts for nothing where the straight one fails.
     */
    private void next() {
      while (!over) {
        var now = steward.now();
        if (deadline - now <= 0) {
          tries.clear();
        }
        if (tries.isEmpty()) {
          if (running == 0 && questions == 0) {
            conclude();
          }
          return;
        }
        if (running == AT_ONCE || (running > 0 && tries.peek().turn() != turn)) {
          return;
        }
        if (place(rail) < 0) {
          if (running == 0) {
            waitFor(rail, this::next);
          }
          return;
        }
        // One round more than there is: for the answers of those that are asked otherwise.
        int rounds = (tries.size() + AT_ONCE - 1) / AT_ONCE + 1;
        var share = Math.clamp((deadline - now) / rounds, LEAST_TRY, MOST_TRY);
        var path = tries.poll();
        turn = path.turn();
        running++;
        if (!echo(
            rail,
            partners.get(path.partner()),
            path.rail(),
            Math.min(deadline, now + share),
            outcome -> echoed(path, outcome))) {
          pass("no memory is registered to check it with");
        }
      }
    }

    /** Reads over one path; answers whether there is memory to read to. */
    private boolean echo(
        int from,
        EchoPartner partner,
        RemoteRail remoteRail,
        long until,
        Consumer<RailEcho.Outcome> then) {
      // What an earlier path still brings must not be taken for what this one does.
      int place = place(from);
      var room = node.echoRoom(id, from, place);
      if (room.isEmpty()) {
        return false;
      }
      taken(from).set(place);
      var expected = EchoPage.content(partner.remote().generation(), partner.address());
      var remoteKey = partner.keys().get(remoteRail.index());
      var to = room.get();
      var asked =
          new RailEcho.Asked(
              to.key(), to.memory(), to.offset(), partner.address(), remoteKey, expected);
      var echo =
          new RailEcho(
              asked,
              outcome -> steward.execute(() -> then.accept(outcome)),
              () -> steward.execute(() -> released(from, place)));
      var lane = lanes.get(from % lanes.size());
      var local = rails.get(from);
      if (!lane.execute(
          () -> lane.checks().begin(echo, partner.remote(), local, remoteRail, until))) {
        taken(from).clear(place);
        end("the engine is closing");
      }
      return true;
    }

    private void echoed(EchoTry path, RailEcho.Outcome outcome) {
      running--;
      if (over) {
        return;
      }
      var partner = partners.get(path.partner());
      var where = path.rail().name() + " of " + partner.remote().name() + ": ";
      if (!(outcome instanceof RailEcho.Outcome.Verified)) {
        LOG.debug("{}: no echo from {}{}", id, where, outcome);
      }
      switch (outcome) {
        case RailEcho.Outcome.Verified() -> {
          if (verdict.verified(path)) {
            end("");
            return;
          }
        }
        case RailEcho.Outcome.Stranger _ -> {
          // That says nothing of the rail.
        }
        case RailEcho.Outcome.NoAnswer(var text) -> {
          if (verdict.silent(path, where + text)) {
            askOtherwise(path, partner);
          }
        }
        case RailEcho.Outcome.Failed(var text) -> {
          verdict.failed(path, where + text);
          // Another process at its address is no peer for the next check.
          node.suspect(
              new PathId(
                  partner.remote().name(),
                  partner.remote().generation(),
                  rail,
                  path.rail().index()));
        }
        case RailEcho.Outcome.Corrupt(var text) -> verdict.corrupt(where + text);
      }
      next();
    }

    /** Is it the rail, or is there nobody? */
    private void askOtherwise(EchoTry path, EchoPartner partner) {
      questions++;
      node.isThere(
          partner,
          deadline,
          there -> steward.execute(() -> told(path, there, "its control plane answers")));
      for (int i = 1; i < rails.size(); i++) {
        int other = (rail + i) % rails.size();
        if (book.active(other)) {
          questions++;
          witness(path, partner, other);
          return;
        }
      }
    }

    private void witness(EchoTry path, EchoPartner partner, int other) {
      var now = steward.now();
      var name = rails.get(other).name();
      if (over || deadline - now <= 0) {
        told(path, false, name);
      } else if (place(other) < 0) {
        waitFor(other, () -> witness(path, partner, other));
      } else {
        var there = partner.rails().get(other % partner.rails().size());
        var until = Math.min(deadline, now + LEAST_TRY);
        Consumer<RailEcho.Outcome> then =
            outcome ->
                told(
                    path,
                    outcome instanceof RailEcho.Outcome.Verified,
                    "it answers over rail " + name);
        if (!echo(other, partner, there, until, then)) {
          told(path, false, name);
        }
      }
    }

    /** Who answers now may have been frozen until now: it is read over the rail once more. */
    private void told(EchoTry path, boolean there, String how) {
      questions--;
      if (over) {
        return;
      }
      if (there && verdict.there(path, how)) {
        tries.addFirst(path);
      }
      next();
    }

    /** Nothing is left to be tried. */
    private void conclude() {
      var problem = verdict.problem();
      if (problem.isEmpty()) {
        pass("no peer answered");
      } else {
        end(problem);
      }
    }

    /** No peer says anything against it, and none says anything for it. */
    private void pass(String why) {
      if (close()) {
        book.passedAlone(rail, number, why);
      }
    }

    private void end(String problem) {
      if (close()) {
        book.checked(rail, number, problem);
      }
    }

    private boolean close() {
      if (over) {
        return false;
      }
      over = true;
      timer.cancel();
      return true;
    }
  }

  private BitSet taken(int rail) {
    return draining.computeIfAbsent(rail, _ -> new BitSet());
  }

  /** A place of the local memory that nothing is written to, or -1. */
  private int place(int rail) {
    int free = taken(rail).nextClearBit(0);
    return free < EchoRoom.PLACES ? free : -1;
  }

  private void waitFor(int rail, Runnable then) {
    waiting.computeIfAbsent(rail, r -> new ArrayDeque<>()).add(then);
  }

  private void released(int rail, int place) {
    taken(rail).clear(place);
    var queue = waiting.get(rail);
    // One whose check is over by now does not take the place.
    while (queue != null && !queue.isEmpty() && place(rail) >= 0) {
      queue.poll().run();
    }
  }
}

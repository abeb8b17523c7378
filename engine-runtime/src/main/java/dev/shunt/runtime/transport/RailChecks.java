package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.Transport;
import dev.shunt.runtime.control.core.EchoPage;
import dev.shunt.runtime.transfer.Lane;
import dev.shunt.runtime.transfer.RailEcho;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether rails work again. First what the transport itself sees; then a node that was met
 * and lends memory for it is read over a path from that very rail, several times. Who is silent to
 * the rail is asked otherwise, by its control plane and over another rail of ours: one that answers
 * there tells that the rail does not work. With nobody who lends memory, or who answers in any way,
 * the first has to do. All of it on the steward's thread.
 */
final class RailChecks {
  private static final Logger LOG = LoggerFactory.getLogger(RailChecks.class);

  /** Paths that are tried in one check, at most. */
  private static final int MOST_TRIES = 16;

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
  private Transport transport;
  private List<? extends Rail> rails = List.of();
  private RailBook book;

  /** One path to try. */
  private record Try(EchoPartner partner, RemoteRail remoteRail, boolean paired) {}

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
    private final List<String> problems = new ArrayList<>();

    /** Those that were silent to the rail, and have been asked otherwise. */
    private final Map<Remote, String> silent = new HashMap<>();

    /** Those whose rail in the same place did not answer, though they tell of no loss of it. */
    private final Set<Remote> lost = new HashSet<>();

    private int questions;
    private boolean concluding;
    private ArrayDeque<Try> tries;
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
      end("the check did not end in time" + why);
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
      tries = tries();
      next();
    }

    /** The paired rails of all partners first: what is cabled together has mostly one place. */
    private ArrayDeque<Try> tries() {
      var all = new ArrayDeque<Try>();
      var partners = node.echoPartners(id);
      var most = partners.stream().mapToInt(p -> p.rails().size()).max().orElse(0);
      for (int turn = 0; turn < most; turn++) {
        for (var partner : partners) {
          var count = partner.rails().size();
          if (turn < count && all.size() < MOST_TRIES) {
            var there = partner.rails().get((rail + turn) % count);
            all.add(new Try(partner, there, turn == 0 && !partner.out().contains(there.index())));
          }
        }
      }
      return all;
    }

    private void next() {
      if (over) {
        return;
      }
      var now = steward.now();
      if (tries.isEmpty() || deadline - now <= 0) {
        conclude();
        return;
      }
      if (place(rail) < 0) {
        waitFor(rail, this::next);
        return;
      }
      // One share more than there are tries: for the answers of those that are asked otherwise.
      var share = Math.clamp((deadline - now) / (tries.size() + 1), LEAST_TRY, MOST_TRY);
      var path = tries.poll();
      if (!echo(rail, path, Math.min(deadline, now + share), outcome -> echoed(path, outcome))) {
        pass("no memory is registered to check it with");
      }
    }

    /** Reads over one path; answers whether there is memory to read to. */
    private boolean echo(int from, Try path, long until, Consumer<RailEcho.Outcome> then) {
      // What an earlier path still brings must not be taken for what this one does.
      int place = place(from);
      var room = node.echoRoom(id, from, place);
      if (room.isEmpty()) {
        return false;
      }
      taken(from).set(place);
      var partner = path.partner;
      var expected = EchoPage.content(partner.remote().generation(), partner.address());
      var remoteKey = partner.keys().get(path.remoteRail.index());
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
          () -> lane.checks().begin(echo, partner.remote(), local, path.remoteRail, until))) {
        taken(from).clear(place);
        end("the engine is closing");
      }
      return true;
    }

    private void echoed(Try path, RailEcho.Outcome outcome) {
      if (over) {
        return;
      }
      var where = path.remoteRail.name() + " of " + path.partner.remote().name() + ": ";
      switch (outcome) {
        case RailEcho.Outcome.Verified() -> {
          if (lost.contains(path.partner.remote())) {
            // The kernel may send by another link what is for another of the remote's networks.
            problems.addAll(silentTo(path));
            next();
          } else {
            end("");
          }
        }
        case RailEcho.Outcome.Stranger(var text) -> {
          LOG.debug("{}: no echo from {}{}", id, where, text);
          next();
        }
        case RailEcho.Outcome.NoAnswer(var text) -> {
          LOG.debug("{}: no echo from {}{}", id, where, text);
          lost(path);
          if (silent.putIfAbsent(path.partner.remote(), where + text) == null) {
            askOtherwise(path.partner);
          }
          next();
        }
        case RailEcho.Outcome.Failed(var text) -> {
          lost(path);
          problems.add("no echo from " + where + text);
          next();
        }
      }
    }

    /** What is cabled together says more than a way around. */
    private void lost(Try path) {
      if (path.paired) {
        lost.add(path.partner.remote());
      }
    }

    private List<String> silentTo(Try path) {
      var text = silent.get(path.partner.remote());
      return text == null
          ? List.of()
          : List.of("no echo from " + text + ", although another of its rails answers");
    }

    /** Is it the rail, or is there nobody? */
    private void askOtherwise(EchoPartner partner) {
      questions++;
      node.isThere(
          partner,
          deadline,
          there -> steward.execute(() -> told(partner, there, "its control plane answers")));
      for (int i = 1; i < rails.size(); i++) {
        int other = (rail + i) % rails.size();
        if (book.active(other)) {
          questions++;
          witness(partner, other);
          return;
        }
      }
    }

    private void witness(EchoPartner partner, int other) {
      var now = steward.now();
      var name = rails.get(other).name();
      if (over || deadline - now <= 0) {
        told(partner, false, name);
      } else if (place(other) < 0) {
        waitFor(other, () -> witness(partner, other));
      } else {
        var path = new Try(partner, partner.rails().get(other % partner.rails().size()), false);
        var until = Math.min(deadline, now + LEAST_TRY);
        Consumer<RailEcho.Outcome> then =
            outcome ->
                told(
                    partner,
                    outcome instanceof RailEcho.Outcome.Verified,
                    "it answers over rail " + name);
        if (!echo(other, path, until, then)) {
          told(partner, false, name);
        }
      }
    }

    private void told(EchoPartner partner, boolean there, String how) {
      questions--;
      if (there && !over) {
        problems.add("no echo from " + silent.get(partner.remote()) + ", although " + how);
      }
      if (!over && concluding) {
        conclude();
      }
    }

    /** Nothing is left to be tried. */
    private void conclude() {
      concluding = true;
      if (!problems.isEmpty()) {
        end(String.join("; ", problems));
      } else if (questions == 0) {
        pass("no peer answered");
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

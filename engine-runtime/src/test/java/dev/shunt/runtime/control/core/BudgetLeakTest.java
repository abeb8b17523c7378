package dev.shunt.runtime.control.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.sim.Dice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whatever becomes of connections and what they ask, all that was taken of the heap comes back. */
class BudgetLeakTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int MOST = 1 << 20;
  private static final ServerLimits LIMITS =
      new ServerLimits(MOST, 4, 1 << 16, 5 * SECOND, 10 * SECOND);

  private final HeapBudget budget = new HeapBudget(2 * MOST);
  private final MemorySegment nothing = MemorySegment.ofArray(new byte[MOST]);

  /** A connection, and what it asked for and got no answer to. */
  private final class Peer {
    private final ServerConnection connection;
    private final List<Exchange> open = new ArrayList<>();
    private byte[] head = {};
    private int headAt;

    Peer(int place) {
      connection = new ServerConnection(LIMITS, Optional.empty(), budget, place);
    }

    private void send(Dice dice, long now) {
      for (int i = (int) dice.between(1, 20); i > 0; i--) {
        long wanted = connection.wants();
        if (wanted == 0) {
          return;
        }
        if (headAt == head.length && !within()) {
          head = Frames.request(i, Functions.NOTIFY, (int) dice.below(dice.below(2) + 1 << 19));
          headAt = 0;
        }
        int count = (int) Math.min(wanted, dice.between(1, 1 << 17));
        if (headAt < head.length) {
          count = Math.min(count, head.length - headAt);
          connection.received(MemorySegment.ofArray(head), headAt, count, now);
          headAt += count;
        } else {
          connection.received(nothing, 0, count, now);
        }
        var taken = connection.take();
        if (taken != null) {
          open.add(taken);
        }
      }
    }

    private boolean within() {
      return !connection.idle() && open.isEmpty() && connection.outbox().waiting() == 0
          || connection.wants() != Frames.REQUEST_HEAD;
    }

    private void answer(Dice dice, long now) {
      if (!open.isEmpty()) {
        var one = open.remove((int) dice.below(open.size()));
        connection.answer(one, new byte[(int) dice.below(1 << 15)], now);
        connection.answer(one, new byte[7], now);
      }
    }

    private void read(Dice dice, long now) {
      long waiting = connection.outbox().waiting();
      if (waiting > 0) {
        connection.sent(dice.between(1, waiting), now);
      }
    }
  }

  @Test
  void nothingIsHeldWhenAllAreGone() {
    long seed = 17;
    var dice = new Dice(seed);
    var peers = new ArrayList<Peer>();
    long now = 0;
    long most = 0;
    long mostUnsent = 0;
    for (int i = 0; i < 20_000; i++) {
      now += dice.below(SECOND / 4);
      if (peers.size() < 16) {
        peers.add(new Peer(i % 3));
      }
      var peer = peers.get((int) dice.below(peers.size()));
      switch ((int) dice.below(12)) {
        case 0 -> peer.answer(dice, now);
        case 1 -> peer.read(dice, now);
        case 2 -> {
          if (peer.connection.expire(now) || dice.below(20) == 0) {
            peer.connection.release();
            peers.remove(peer);
          }
        }
        case 3 -> {
          if (dice.below(20) == 0) {
            peer.connection.ended();
          }
        }
        case 4 -> {
          if (dice.below(50) == 0 && peer.connection.wants() > 0) {
            peer.connection.received(nothing, 0, 1, now);
          }
        }
        default -> peer.send(dice, now);
      }
      most = Math.max(most, budget.held());
      mostUnsent = Math.max(mostUnsent, budget.unsent());
      assertTrue(budget.held() >= 0 && budget.held() <= budget.limit(), "seed " + seed + ", " + i);
    }
    assertTrue(most > MOST, "much was held: " + most);
    assertTrue(mostUnsent > 1 << 16, "and much unsent: " + mostUnsent);
    peers.forEach(peer -> peer.connection.release());
    assertEquals(0, budget.held(), "seed " + seed);
    assertEquals(0, budget.unsent(), "seed " + seed);
  }

  @Test
  void aRequestThatIsAnsweredOutOfItsTurnHoldsNothing() {
    var connection = new ServerConnection(LIMITS, Optional.empty(), budget, "a place");
    var first = asked(connection, 1, 100_000);
    var second = asked(connection, 2, 200_000);
    assertEquals(300_000, budget.held());
    connection.answer(second, new byte[0], 0);
    assertEquals(100_000, budget.held());
    assertEquals(0, second.request().length);
    connection.answer(first, new byte[0], 0);
    assertEquals(0, budget.held());
  }

  @Test
  void whoLeavesAnswersUnreadAsksForNoMoreWhereManyDo() {
    var others = new ArrayList<ServerConnection>();
    while (budget.unsent() <= budget.limit()) {
      var other = new ServerConnection(LIMITS, Optional.empty(), budget, others.size());
      other.answer(asked(other, 1, 0), new byte[50_000], 0);
      assertTrue(other.wants() > 0 || budget.isFullOfAnswers());
      others.add(other);
    }
    assertEquals(0, others.getFirst().wants(), "it has 50 000 bytes to read first");
    var fresh = new ServerConnection(LIMITS, Optional.empty(), budget, "fresh");
    assertTrue(fresh.wants() > 0, "who has none is served");
    fresh.answer(asked(fresh, 1, 0), new byte[100], 0);
    assertTrue(fresh.wants() > 0);
    others.getFirst().sent(others.getFirst().outbox().waiting(), 0);
    assertTrue(others.getFirst().wants() > 0, "it has read them");
  }

  @Test
  void manyAnswersThatAreNothingButHeadsAreCountedToo() {
    var connection = new ServerConnection(LIMITS, Optional.empty(), budget, "a place");
    int count = 0;
    while (connection.wants() > 0) {
      connection.answer(asked(connection, 1, 0), new byte[0], 0);
      count++;
    }
    assertTrue(count < 1000, count + " answers in 64 KiB");
  }

  private Exchange asked(ServerConnection connection, int sequence, int length) {
    var head = Frames.request(sequence, Functions.NOTIFY, length);
    feed(connection, MemorySegment.ofArray(head));
    feed(connection, MemorySegment.ofArray(new byte[length]));
    return connection.take();
  }

  private static void feed(ServerConnection connection, MemorySegment bytes) {
    for (long at = 0; at < bytes.byteSize(); ) {
      int count = (int) Math.min(connection.wants(), bytes.byteSize() - at);
      connection.received(bytes, at, count, 0);
      at += count;
    }
  }
}

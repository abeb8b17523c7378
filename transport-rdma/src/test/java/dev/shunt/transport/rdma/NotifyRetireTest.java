package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.NotifyFrame;
import dev.shunt.api.spi.NotifyPort;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.transport.rdma.testing.TestFrame;
import dev.shunt.transport.rdma.testing.TestNotify;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever a sender was told to be delivered arrives, whoever retires what it came by. */
class NotifyRetireTest {
  private static final int NOTIFICATIONS = 4000;

  @Test
  void whatWasAcknowledgedArrivesWhoeverRetiresTheLinkAndWhenever() {
    int seeds = Integer.getInteger("shunt.notify.seeds", 10);
    int first = Integer.getInteger("shunt.notify.seed", 1);
    for (int seed = first; seed < first + seeds; seed++) {
      try {
        new Story(seed).play();
      } catch (AssertionError e) {
        throw new AssertionError(
            "seed " + seed + " (-Dshunt.notify.seeds=1 -Dshunt.notify.seed=" + seed + ")", e);
      }
    }
  }

  /** One sender, one receiver whose lane is often late, and somebody who retires. */
  private static final class Story {
    private final Pair pair;
    private final Random random;
    private final TestNotify a;
    private final TestNotify b;
    private final List<NotifyFrame> posted = new ArrayList<>();
    private LinkId link;
    private int retired;

    Story(int seed) {
      pair = new Pair(seed, Map.of("notify.first-slots", 2, "notify.receive-slots", 16));
      random = new Random(seed);
      a = pair.a.notifying(0).notifications;
      b = pair.b.notifying(0).notifications;
      b.takes = () -> random.nextInt(50) > 0;
    }

    void play() {
      while (posted.size() < NOTIFICATIONS) {
        var port = port();
        for (int i = random.nextInt(10); i > 0 && port.room() > 0; i--) {
          if (posted.size() < NOTIFICATIONS) {
            post(port);
          }
        }
        pass();
        if (random.nextInt(20) == 0) {
          retire(port);
          pass();
        }
      }
      pair.await("all reports", () -> a.reports() == NOTIFICATIONS);
      pair.run(5 * SECOND);
      assertTrue(retired > 20, "retired " + retired + " times");
      assertTrue(a.delivered.size() > NOTIFICATIONS / 8, a.delivered.size() + " delivered");
      assertEquals(NOTIFICATIONS, new HashSet<>(a.delivered).size() + a.failed.size());
      var arrived = new HashSet<>(b.arrived);
      assertEquals(b.arrived.size(), arrived.size(), "none twice");
      var last = new HashMap<Long, Integer>();
      for (int i = 0; i < b.arrived.size(); i++) {
        int number = Integer.parseInt(b.arrived.get(i));
        var before = last.put(b.links.get(i), number);
        assertTrue(before == null || before < number, () -> number + " came after " + before);
      }
      for (var frame : a.delivered) {
        assertTrue(arrived.contains(frame.toString()), () -> "lost: " + frame);
      }
    }

    private NotifyPort port() {
      while (link == null || !a.ports.containsKey(link) || a.downs.containsKey(a.ports.get(link))) {
        var asked = pair.a.openPort(pair.b, 0, 0, SECOND);
        link = asked;
        pair.await("an answer", () -> a.ports.containsKey(asked) || a.refusals.containsKey(asked));
      }
      return a.ports.get(link);
    }

    private void post(NotifyPort port) {
      var frame = new TestFrame(Integer.toString(posted.size()), pair.world.now() + SECOND);
      posted.add(frame);
      port.post(frame, pair.world.now());
    }

    /** A little time, in which the receiver's threads, or one, may rest while its NIC does not. */
    private void pass() {
      long nanos = random.nextLong(2 * MILLI);
      if (random.nextBoolean()) {
        pair.run(nanos);
      } else {
        boolean laneOnly = random.nextBoolean();
        for (int i = 0; i < 4; i++) {
          pair.a.turn();
          if (laneOnly) {
            pair.b.laneTurn();
          }
          pair.world.run(nanos / 4 + 1);
        }
      }
    }

    private void retire(NotifyPort port) {
      retired++;
      switch (random.nextInt(5)) {
        case 0 -> pair.b.transport().fence(link, fenced -> {});
        case 1 -> port.retire(RetireReason.EVICTED, pair.world.now());
        case 2 -> pair.nicsB[0].qpNumbers().forEach(pair.nicsB[0]::breakQp);
        case 3 -> pair.nicsA[0].qpNumbers().forEach(pair.nicsA[0]::breakQp);
        default -> {
          pair.nicsB[0].down();
          pair.run(MILLI);
          pair.nicsB[0].restore();
        }
      }
    }
  }
}

package dev.shunt.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lane whose device tells of a completion only where it is looked for. */
class LanePollTest {
  private static final long MILLI = 1_000_000;
  private static final long BUDGET = 7 * (4096L << 14);

  private long now;
  private final LaneQueue queue = new LaneQueue(null, new Silent());
  private final RdmaLane lane = lane();

  private static final class Silent implements VerbsCq {
    @Override
    public int depth() {
      return 16;
    }

    @Override
    public boolean polled() {
      return true;
    }

    @Override
    public int poll() {
      return 0;
    }

    @Override
    public long wrId(int index) {
      return 0;
    }

    @Override
    public int status(int index) {
      return 0;
    }

    @Override
    public int vendorError(int index) {
      return 0;
    }

    @Override
    public int length(int index) {
      return 0;
    }

    @Override
    public int qpNumber(int index) {
      return 0;
    }

    @Override
    public int close() {
      return 0;
    }
  }

  private RdmaLane lane() {
    var context =
        (TransportContext)
            Proxy.newProxyInstance(
                TransportContext.class.getClassLoader(),
                new Class<?>[] {TransportContext.class},
                (proxy, method, arguments) -> {
                  assertEquals("now", method.getName());
                  return now;
                });
    var settings =
        RdmaSettings.of(
            ConfigFactory.defaultReference(LanePollTest.class.getClassLoader())
                .getConfig("shunt.transports.rdma")
                .resolve());
    return new RdmaLane(context, null, List.of(queue), settings);
  }

  /**
   * What a path that loses everything reports at the end of the QP's retries is seen soon after.
   */
  @Test
  void itLooksWithinAMillisecondHoweverLongNothingCame() {
    queue.promise();
    int looks = 0;
    while (now < BUDGET) {
      assertEquals(0, lane.work(now));
      long next = lane.nextDeadline();
      assertTrue(next > now && next - now <= MILLI, now + ": " + next);
      now = next;
      looks++;
    }
    assertTrue(looks < 2 * BUDGET / MILLI, "looks in " + BUDGET + " ns: " + looks);
  }

  @Test
  void itWantsNoTurnWhereNothingIsUnderWay() {
    queue.promise();
    lane.work(now);
    lane.nextDeadline();
    queue.fulfil();
    lane.work(now);
    assertEquals(Long.MAX_VALUE, lane.nextDeadline());
  }
}

package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.transport.rdma.testing.SoftNic;
import dev.shunt.transport.rdma.testing.TestNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Links for notifications whose rail gets another context. */
class NotifyRenewalTest extends NotifyPair {
  private void renew(TestNode node) {
    var found = new ArrayList<Optional<Fault>>();
    node.check(0, true, 10 * SECOND, found);
    pair.await("the end of a check", () -> !found.isEmpty());
    assertEquals(List.of(Optional.empty()), found);
  }

  private static void nothingIsLeft(SoftNic nic) {
    assertEquals(0, nic.qps());
    assertEquals(Pair.MEMORY, nic.registeredBytes());
    assertEquals(1, nic.opened(), "the old context is closed");
  }

  @Test
  void aSendersLinkEndsWithItsContextAndHandsBackWhatIsPending() {
    var port = up();
    post(port, "before");
    pair.await("its report", () -> a.reports() == 1);
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).hold();
    var pending = post(port, "pending");
    pair.run(MILLI);
    renew(pair.a);
    assertEquals(Blame.NEUTRAL, a.downs.get(port).blame(), "whoever asked for it knows");
    assertEquals(Effect.POSSIBLE, a.faults.get(pending).effect());
    assertEquals(2, a.reports());
    nothingIsLeft(pair.nicsA[0]);
    pair.fabric.path(pair.nicsA[0], pair.nicsB[0]).heal();
    var next = up();
    post(next, "after");
    pair.await("what is sent by the next one", () -> b.arrived.contains("after"));
    assertEquals(1, b.arrived.stream().filter("before"::equals).count());
    assertTrue(b.arrived.stream().filter("pending"::equals).count() <= 1);
  }

  @Test
  void aReceiversLinkEndsWithItsContextAndTheSenderMakesAnotherOne() {
    var port = up();
    post(port, "before");
    pair.await("its report", () -> a.reports() == 1);
    renew(pair.b);
    nothingIsLeft(pair.nicsB[0]);
    post(port, "lost");
    pair.await("the end of the port", () -> a.downs.containsKey(port));
    assertEquals(Blame.REMOTE, a.downs.get(port).blame());
    var next = up();
    post(next, "after");
    pair.await("what is sent by the next one", () -> b.arrived.contains("after"));
    assertEquals(List.of("before", "after"), b.arrived);
  }

  @Test
  void whatLandedIsHandedUpThoughTheContextThatItLandedByIsGone() {
    b.takes = () -> false;
    var port = up();
    for (int i = 0; i < 3; i++) {
      post(port, Integer.toString(i));
    }
    pair.await("their reports", () -> a.delivered.size() == 3);
    renew(pair.b);
    assertEquals(List.of(), b.arrived);
    b.takes = () -> true;
    pair.await("all of them", () -> b.arrived.size() == 3);
    assertEquals(List.of("0", "1", "2"), b.arrived);
    renew(pair.b);
    nothingIsLeft(pair.nicsB[0]);
  }
}

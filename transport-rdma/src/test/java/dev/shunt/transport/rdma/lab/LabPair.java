package dev.shunt.transport.rdma.lab;

import dev.shunt.api.spi.LinkId;
import dev.shunt.transport.rdma.testing.TestNode;
import dev.shunt.transport.rdma.verbs.Verbs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Two nodes of this machine, on a device each, which one thread gives their turns. */
final class LabPair {
  /** On a busy machine an emulated JVM loads classes for many seconds. */
  static final long LIMIT = 60_000_000_000L;

  final TestNode a;
  final TestNode b;

  LabPair(Map<String, ?> settingsOfA, Map<String, ?> settingsOfB) {
    var directory = new HashMap<String, TestNode>();
    a = new TestNode("a", 1, Verbs.system(), System::nanoTime, directory, settingsOfA);
    b = new TestNode("b", 2, Verbs.system(), System::nanoTime, directory, settingsOfB);
  }

  void until(String what, BooleanSupplier condition) {
    until(what, condition, Thread::onSpinWait);
  }

  /** The same, and what there is to wait for is waited for as the first node's lane does it. */
  void untilParked(String what, BooleanSupplier condition) {
    until(what, condition, () -> a.driver().park(a.next()));
  }

  private void until(String what, BooleanSupplier condition, Runnable idle) {
    long deadline = System.nanoTime() + LIMIT;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within a minute: " + what);
      }
      if (a.turn() + b.turn() == 0) {
        idle.run();
      }
    }
  }

  LinkId connect() {
    var link = a.connect(b, 0, 0, LIMIT);
    until("the connection", () -> a.channels.containsKey(link) || a.refusals.containsKey(link));
    if (a.refusals.containsKey(link)) {
      throw new AssertionError("refused: " + a.refusals.get(link));
    }
    return link;
  }

  void fence(LinkId link) {
    var fenced = new ArrayList<Boolean>();
    b.transport().fence(link, fenced::add);
    until("the fence", () -> !fenced.isEmpty());
    if (!fenced.getFirst()) {
      throw new AssertionError("not fenced");
    }
  }

  void close() {
    a.close();
    b.close();
  }
}

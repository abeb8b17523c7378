package dev.shunt.runtime.sim;

import dev.shunt.api.sim.SimProcess;
import dev.shunt.runtime.transfer.core.Counter;

/**
 * The end of a seed: all that was lent is back, all counts are even, and memory is as it must be.
 */
final class Reckoning {
  private final Cluster cluster;

  Reckoning(Cluster cluster) {
    this.cluster = cluster;
  }

  void balance() {
    // What drains may need its time, and what is late has its chance to do harm.
    cluster.world().run(8 * Cluster.SECOND);
    for (var node : cluster.nodes()) {
      idle(node);
    }
    for (var place : cluster.places()) {
      memory(place);
    }
    cluster.fabric().reckon();
    for (var node : cluster.nodes()) {
      shut(node);
    }
    cluster.world().run(8 * Cluster.SECOND);
    for (var wire : cluster.network().open()) {
      for (var node : cluster.nodes()) {
        if (node.host().rails().stream()
            .anyMatch(rail -> rail.address().equals(wire.local().getAddress()))) {
          broken("open after all closed: " + wire);
        }
      }
    }
  }

  private void idle(SimNode node) {
    even(node, "ranges leased", node.guard().held());
    var probe = node.probe();
    even(node, "bytes draining", probe.count(Counter.DRAINING_BYTES));
    long quarantined = probe.count(Counter.QUARANTINED_BYTES);
    // What left its channel may be quarantined, too, for what it may still change at a remote.
    long more = Math.max(0, node.guard().postedBytes() - quarantined);
    even(node, "bytes posted and not quarantined", more);
    for (var buffer : probe.buffers().buffers()) {
      if (node.guard().posted() == 0) {
        even(node, "holders of " + buffer, buffer.holders());
      }
    }
    for (var peer : probe.peers()) {
      peer.home()
          .ifPresent(
              home -> {
                var route = home.route();
                even(node, "bytes in flight to " + peer.remote(), route.inFlightBytes().get());
                even(node, "requests to " + peer.remote(), route.queuedRequests().get());
                even(
                    node,
                    "room taken towards " + peer.remote(),
                    route.queue() - route.room().availablePermits());
              });
    }
    if (probe.count(Counter.LATE_REPORTS) > 0) {
      cluster.mark(Mark.LATE_REPORT);
    }
    if (probe.count(Counter.UNFENCED) > 0) {
      cluster.mark(Mark.UNFENCED_REDO);
    }
    if (probe.count(Counter.SLICES_REDONE) > 0) {
      cluster.mark(Mark.REDO_AFTER_FAILURE);
    }
  }

  private void memory(Place node) {
    int at =
        node instanceof SimNode own
            ? own.changed(0, Ground.REACHED)
            : node.ground().changed(0, Ground.REACHED);
    if (at >= 0) {
      broken(node + ": byte " + at + " is " + node.ground().at(at));
    }
  }

  private void shut(SimNode node) {
    if (node.guard().posted() > 0) {
      // What is quarantined never comes back: such a process can only end.
      node.die(SimProcess.Death.KILLED);
      return;
    }
    var closing = node.probe().buffers().all().stream().map(buffer -> buffer.close()).toList();
    boolean all =
        cluster.until(() -> closing.stream().allMatch(future -> future.isDone()), Cluster.SECOND);
    if (!all) {
      broken(node + ": memory cannot be unregistered at the end");
    }
    // It takes its time for that, and the others find that it is not there.
    cluster.harm().host(node.host());
    node.engine().close();
    even(node, "channels", node.guard().channels().size());
  }

  private void even(SimNode node, String what, long count) {
    if (count != 0) {
      broken(node + ", at the end: " + what + ": " + count);
    }
  }

  private void broken(String what) {
    throw new AssertionError(what);
  }
}

package dev.shunt.transport.rdma;

import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.util.ArrayList;
import java.util.List;

/**
 * What is left of contexts that others took the place of. The supervisor's; closing them takes its
 * time, and is done by whoever has taken them.
 */
final class Remnants {
  /** A rail that leaves more of them gets no further context. */
  private static final int MOST = 4;

  private final List<Remnant> remnants = new ArrayList<>();

  /** One of them. */
  static final class Remnant {
    private final RdmaRail rail;
    private final RdmaDevice device;
    private final boolean whole;
    private final List<VerbsRegion> regions;
    private final List<VerbsCq> queues;
    private boolean open;

    /**
     * All of a rail's context.
     *
     * @param whole whether the device goes with it; otherwise other rails use it
     */
    Remnant(
        RdmaRail rail,
        RdmaDevice device,
        boolean whole,
        List<VerbsRegion> regions,
        List<VerbsCq> queues) {
      this.rail = rail;
      this.device = device;
      this.whole = whole;
      this.regions = new ArrayList<>(regions);
      this.queues = new ArrayList<>(queues);
      open = whole;
    }

    private boolean inUse() {
      return device.owners().values().stream().anyMatch(owner -> owner.rail() == rail);
    }

    /** Closes what can be closed, in order; on any one thread. */
    void close() {
      regions.removeIf(region -> region.close() == 0);
      queues.removeIf(queue -> queue.close() == 0);
      if (open && regions.isEmpty() && queues.isEmpty()) {
        open = !device.close().isEmpty();
      }
    }

    private boolean gone() {
      return regions.isEmpty() && queues.isEmpty() && !open;
    }

    @Override
    public String toString() {
      return "an earlier context of " + rail + (whole ? "" : ", but for its device");
    }
  }

  /** Whether a rail has left more than is tolerable. */
  boolean tooMany(RdmaRail rail) {
    return remnants.stream().filter(remnant -> remnant.rail == rail).count() >= MOST;
  }

  void add(Remnant remnant) {
    remnants.add(remnant);
  }

  /** Those that nothing is posted to any more: the caller closes them, and gives them back. */
  List<Remnant> take(Registrations registrations) {
    var taken =
        remnants.stream()
            .filter(remnant -> !remnant.inUse() && !registrations.busy(remnant.device))
            .toList();
    remnants.removeAll(taken);
    return taken;
  }

  /** Keeps what could not be closed. Answers with it. */
  List<Remnant> giveBack(List<Remnant> taken) {
    var left = taken.stream().filter(remnant -> !remnant.gone()).toList();
    remnants.addAll(left);
    return left;
  }

  /** At the transport's end. Answers with what could not be closed. */
  List<Remnant> close() {
    var all = List.copyOf(remnants);
    all.forEach(Remnant::close);
    return all.stream().filter(remnant -> !remnant.gone()).toList();
  }
}

package dev.shunt.runtime.sim;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.LinkId;
import java.util.HashMap;
import java.util.Map;

/** What a process waits for, and how much it has of what is bounded. */
final class Bounds {
  /** Where a transport has not answered by its deadline, a runtime gives it so much more. */
  private static final long UNANSWERED = Cluster.SECOND + 10 * Cluster.MILLI;

  /** As the fabrics' settings have it; a slice more, since room is looked for before each. */
  private static final long WINDOW = (12 << 10) + (4 << 10);

  /** Paths to one remote, and what of them was given up and never ended. */
  private static final int CHANNELS = 4 * 4 + 16;

  private final SimNode node;
  private final Map<LinkId, Long> asked = new HashMap<>();

  Bounds(SimNode node) {
    this.node = node;
  }

  void asked(ConnectRequest request) {
    asked.put(request.id(), request.deadline());
  }

  void answered(ConnectRequest request) {
    if (asked.remove(request.id()) == null) {
      broken("a request for a channel was answered twice, or never made: " + request.id());
    }
  }

  /** Each time that a slice is posted. */
  void check(long now, int channels) {
    var probe = node.probe();
    if (probe == null) {
      return;
    }
    var peers = probe.peers();
    for (int i = 0; i < peers.size(); i++) {
      var home = peers.get(i).home();
      if (home.isPresent()) {
        long bytes = home.get().route().inFlightBytes().get();
        if (bytes > WINDOW) {
          broken(bytes + " bytes are under way to " + peers.get(i).remote());
        }
      }
    }
    if (channels > CHANNELS * node.cluster().everyone().size()) {
      broken("there are " + channels + " channels");
    }
    if (!asked.isEmpty()) {
      waits(now);
    }
  }

  private void waits(long now) {
    for (var one : asked.entrySet()) {
      long from = Math.max(one.getValue(), node.thawedAt());
      if (now - from > UNANSWERED && !node.dataStandsStill()) {
        broken("a request for a channel is not answered: " + one.getKey());
      }
    }
  }

  private void broken(String what) {
    node.cluster().broken(node + ": " + what);
  }
}

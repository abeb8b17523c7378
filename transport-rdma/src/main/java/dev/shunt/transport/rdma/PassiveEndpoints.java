package dev.shunt.transport.rdma;

import dev.shunt.api.spi.LinkId;
import dev.shunt.transport.rdma.core.FencedLinks;
import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.wire.BootstrapException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All connections that peers asked for, and what may not come up any more. The supervisor's. */
final class PassiveEndpoints {
  private static final Logger LOG = LoggerFactory.getLogger(PassiveEndpoints.class);
  private static final int REMEMBERED_FENCES = 16 << 10;
  private static final int REMEMBERED_NODES = 4096;

  private final int most;
  private final Endpoints endpoints;
  private final LinkedHashMap<Object, PassiveEndpoint> accepted = new LinkedHashMap<>();
  private final Map<Object, PassiveEndpoint> undestroyed = new HashMap<>();
  private final FencedLinks fenced = new FencedLinks(REMEMBERED_FENCES);
  private final LinkedHashMap<String, Long> generations = new LinkedHashMap<>();
  private Consumer<PassiveEndpoint> come = endpoint -> {};
  private Consumer<PassiveEndpoint> gone = endpoint -> {};

  /**
   * None yet.
   *
   * @param most of each rail
   * @param endpoints count what its device does not let go of
   */
  PassiveEndpoints(int most, Endpoints endpoints) {
    this.most = most;
    this.endpoints = endpoints;
  }

  /**
   * Names who hears of them.
   *
   * @param added of each new one
   * @param destroyed of each whose QPs were destroyed
   */
  void watch(Consumer<PassiveEndpoint> added, Consumer<PassiveEndpoint> destroyed) {
    come = added;
    gone = destroyed;
  }

  /** This node's name. */
  String node() {
    return endpoints.context().node();
  }

  /** How many there are. */
  int size() {
    return accepted.size();
  }

  /** Whether there is one that a process of a node asked for. */
  boolean any(String node, long generation) {
    return accepted.values().stream()
        .anyMatch(
            endpoint ->
                endpoint.key() instanceof LinkId link
                    && link.generation() == generation
                    && NicPath.parse(endpoint.asked().localNicPath())
                        .map(NicPath::node)
                        .orElse("")
                        .equals(node));
  }

  /** That of a link, or of a pair of NICs; null if there is none. */
  PassiveEndpoint get(Object key) {
    return accepted.get(key);
  }

  void add(PassiveEndpoint endpoint) {
    accepted.put(endpoint.key(), endpoint);
    come.accept(endpoint);
  }

  /** Whether a link is over, whoever still asks for it. */
  boolean fenced(LinkId link) {
    return fenced.contains(link);
  }

  /** Its peer has ended a link. */
  void closed(LinkId link) {
    fenced.add(link);
    var endpoint = accepted.get(link);
    if (endpoint != null) {
      destroy(endpoint, "closed by the peer");
    }
  }

  /**
   * What a node of an older generation had asked for is of no use to the one that came after it.
   */
  void newest(String path, long generation) {
    var node = NicPath.parse(path).map(NicPath::node).orElse(path);
    var before = generations.get(node);
    if (before != null && Long.compareUnsigned(before, generation) >= 0) {
      return;
    }
    generations.put(node, generation);
    if (generations.size() > REMEMBERED_NODES) {
      generations.pollFirstEntry();
    }
    if (before == null) {
      return;
    }
    for (var endpoint : List.copyOf(accepted.values())) {
      var theirs = NicPath.parse(endpoint.asked().localNicPath()).map(NicPath::node).orElse("");
      if (endpoint.key() instanceof LinkId link
          && theirs.equals(node)
          && Long.compareUnsigned(link.generation(), generation) < 0) {
        destroy(endpoint, "a newer process of " + node + " is there");
      }
    }
  }

  /**
   * Where there is no room the oldest goes: it is the likeliest to belong to a process that has
   * long ended.
   *
   * @return whether one went
   */
  boolean makeRoom(RdmaRail rail) throws BootstrapException {
    PassiveEndpoint oldest = null;
    int count = 0;
    for (var endpoint : accepted.values()) {
      if (endpoint.rail() == rail) {
        count++;
        oldest = oldest == null && !endpoint.busy() ? endpoint : oldest;
      }
    }
    if (count < most) {
      return false;
    }
    if (oldest == null) {
      throw new BootstrapException("the NIC " + rail + " has too many handshakes under way");
    }
    destroy(oldest, "evicted");
    return true;
  }

  /** The passive side of a fence: true once the link's QPs are gone. */
  void fence(LinkId link, Consumer<Boolean> answer) {
    fenced.add(link);
    var endpoint = accepted.get(link);
    var kept = undestroyed.get(link);
    if (endpoint != null) {
      endpoint.fences().add(answer);
      destroy(endpoint, "fenced");
    } else if (kept != null) {
      boolean gone = kept.qps().close() == 0;
      if (gone) {
        undestroyed.remove(link);
      }
      answer.accept(gone);
    } else {
      answer.accept(true);
    }
  }

  /**
   * Takes its QPs to ERR and destroys them: from then on the device applies nothing that the peer
   * has sent there. Waits if an attempt has them in hand.
   *
   * @return whether it is out of the way
   */
  boolean destroy(PassiveEndpoint endpoint, String why) {
    endpoint.life().doom();
    if (endpoint.busy()) {
      return false;
    }
    if (!accepted.remove(endpoint.key(), endpoint)) {
      return true;
    }
    LOG.debug("{}: {}", endpoint, why);
    endpoint.timer(() -> {});
    endpoint.life().gone();
    if (endpoint.notifying() != null) {
      endpoint.notifying().retire(why);
    }
    endpoint.qps().error();
    int error = endpoint.qps().close();
    gone.accept(endpoint);
    if (error != 0) {
      undestroyed.put(endpoint.key(), endpoint);
      endpoints.quarantined(endpoint.rail(), endpoint + ": " + VerbsException.text(error));
    }
    for (var answer : endpoint.fences()) {
      answer.accept(error == 0);
    }
    endpoint.fences().clear();
    return true;
  }

  /** Destroys all that use a rail. */
  void destroyAll(RdmaRail rail, String why) {
    for (var endpoint : List.copyOf(accepted.values())) {
      if (endpoint.rail() == rail) {
        destroy(endpoint, why);
      }
    }
  }
}

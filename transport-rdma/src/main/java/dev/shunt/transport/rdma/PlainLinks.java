package dev.shunt.transport.rdma;

import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is known of plain peers: our connections with them, which each serve both directions, and
 * how many QPs they have. The supervisor's.
 */
final class PlainLinks {
  private static final int REMEMBERED_COUNTS = 4096;

  private final int usual;
  private final Map<NicPair, PlainMeeting> links = new HashMap<>();
  private final LinkedHashMap<String, Integer> counts = new LinkedHashMap<>();
  private final List<Watcher> watchers = new ArrayList<>();

  /** Hears of connections that we asked for. */
  interface Watcher {
    /** It is up: what the peer may have asked for before, it has let go of. */
    void up(NicPair pair);
  }

  /** Where nothing is known a peer is taken to have so many QPs. */
  PlainLinks(int usual) {
    this.usual = usual;
  }

  void watch(Watcher watcher) {
    watchers.add(watcher);
  }

  /** How many QPs a node's connections have. */
  int count(String node) {
    return counts.getOrDefault(node, usual);
  }

  /** A node's connections have so many, by its own word. */
  void counted(String node, int count) {
    counts.put(node, count);
    if (counts.size() > REMEMBERED_COUNTS) {
      counts.pollFirstEntry();
    }
  }

  /** A node asks with as many as it has. */
  void counted(BootstrapDesc asked) {
    int count = asked.qpNumbers().size();
    if (count > 0) {
      NicPath.parse(asked.localNicPath()).ifPresent(path -> counted(path.node(), count));
    }
  }

  /** Our connection of a pair, or null; it may be ending. */
  PlainMeeting get(NicPair pair) {
    return links.get(pair);
  }

  void put(NicPair pair, PlainMeeting meeting) {
    links.put(pair, meeting);
  }

  void remove(NicPair pair, PlainMeeting meeting) {
    links.remove(pair, meeting);
  }

  void up(NicPair pair) {
    watchers.forEach(watcher -> watcher.up(pair));
  }

  /** The pair that a message names. */
  static NicPair pair(BootstrapDesc asked, RdmaRail rail) {
    return new NicPair(asked.localNicPath(), rail.name());
  }
}

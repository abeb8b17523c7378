package dev.shunt.transport.tcp.core;

import java.util.HashMap;
import java.util.Map;

/**
 * What each peer has of one rail, so that none takes it all. A peer is a generation, as preambles
 * tell it: those who lie about it have the bound of all streams.
 */
public final class PeerShares {
  private final int streams;
  private final int requests;
  private final long bytes;
  private final Map<Long, Share> peers = new HashMap<>();

  /**
   * None has anything yet.
   *
   * @param streams that one peer may have
   * @param requests that all its streams together may leave unanswered
   * @param bytes that the longest payloads of all its streams may come to
   */
  public PeerShares(int streams, int requests, long bytes) {
    this.streams = streams;
    this.requests = requests;
    this.bytes = bytes;
  }

  /** How many requests another stream of a peer may leave unanswered; 0 if it may have no other. */
  public int left(long generation, long longest) {
    var share = peers.getOrDefault(generation, Share.NONE);
    boolean room = share.streams < streams && longest <= bytes - share.bytes;
    return room ? requests - share.requests : 0;
  }

  /** A peer has a stream more. */
  public void add(long generation, int depth, long longest) {
    change(generation, 1, depth, longest);
  }

  /** A peer has a stream less. */
  public void remove(long generation, int depth, long longest) {
    change(generation, -1, -depth, -longest);
  }

  /** How many peers have something. */
  int size() {
    return peers.size();
  }

  private void change(long generation, int stream, int depth, long longest) {
    var old = peers.getOrDefault(generation, Share.NONE);
    var share = new Share(old.streams + stream, old.requests + depth, old.bytes + longest);
    if (share.streams == 0) {
      peers.remove(generation);
    } else {
      peers.put(generation, share);
    }
  }

  private record Share(int streams, int requests, long bytes) {
    static final Share NONE = new Share(0, 0, 0);
  }
}

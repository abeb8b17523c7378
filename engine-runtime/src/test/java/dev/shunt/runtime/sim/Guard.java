package dev.shunt.runtime.sim;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.Regions.Refusal;
import dev.shunt.api.spi.Slice;
import dev.shunt.runtime.transfer.RailEcho;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one process' transport is at, as seen at the SPI: slices that are posted, ranges that are
 * leased to peers, memory that is registered, paths that rest. Each event is checked as it happens.
 */
final class Guard {
  /** A range that a peer's request holds. */
  static final class Held implements Lease.Holder {
    private final Guard guard;
    private final Lease inner = new Lease();
    private int at;
    private int length;
    private boolean write;

    Held(Guard guard) {
      this.guard = guard;
    }

    @Override
    public void released() {
      guard.held.remove(this);
      inner.release();
      guard.spare.add(this);
    }
  }

  final SimNode node;
  final Bounds bounds;
  private final Cluster cluster;
  private final IdentityHashMap<Slice, CheckedChannel> posted = new IdentityHashMap<>();
  private final List<Held> held = new ArrayList<>();
  private final List<Held> spare = new ArrayList<>();
  private final Map<Long, Region> regions = new HashMap<>();
  private final Map<Path, Long> paused = new HashMap<>();
  private final Map<String, RailLog> rails = new HashMap<>();
  private final List<CheckedChannel> channels = new ArrayList<>();
  private int checks;

  /** A path of a transport. */
  private record Path(String transport, PathId id) {}

  Guard(SimNode node) {
    this.node = node;
    this.bounds = new Bounds(node);
    this.cluster = node.cluster();
  }

  Cluster cluster() {
    return cluster;
  }

  // ---- slices

  void posted(Slice slice, CheckedChannel channel, long now) {
    cluster.posted(node);
    bounds.check(now, channels.size());
    if (posted.putIfAbsent(slice, channel) != null) {
      cluster.broken(node + ": a slice was posted while it was posted");
    }
    if (now - slice.deadline() >= Cluster.SLACK) {
      cluster.broken(node + ": a slice was posted after its deadline");
    }
    if (slice instanceof RailEcho) {
      cluster.mark(Mark.RAIL_ECHO);
      return;
    }
    carries(channel, now);
    if (rests(channel.transport(), channel.path(), now)) {
      cluster.mark(Mark.PAUSED_PATH_USED);
      for (var other : channels) {
        if (other != channel
            && other.serves(channel)
            && !rests(other.transport(), other.path(), now)
            && !rail(other.transport(), other.path().localRail()).out()
            && !saysItIsOut(other)) {
          cluster.broken(
              node + ": a slice went by " + channel + ", which rests, while " + other + " is free");
        }
      }
    }
  }

  /** Whether the remote says that it does not use its end of a channel. */
  private boolean saysItIsOut(CheckedChannel channel) {
    for (var peer : node.probe().peers()) {
      if (peer.remote().name().equals(channel.path().remote())) {
        for (var way : peer.ways()) {
          if (way.host().id().equals(channel.transport())) {
            return way.route().remoteInactive(channel.path().remoteRail());
          }
        }
      }
    }
    return false;
  }

  /** A rail that is not in use carries nothing; lanes hear of it in their next turn. */
  private void carries(CheckedChannel channel, long now) {
    var log = rail(channel.transport(), channel.path().localRail());
    if (Math.min(log.outFor(now), now - node.thawedAt()) > Cluster.SLACK) {
      cluster.broken(node + ": a slice went by " + channel + ", whose rail is out of use");
    }
    if (log.firstUse()) {
      cluster.mark(Mark.RAIL_USED_AGAIN);
    }
  }

  void reported(Slice slice) {
    if (posted.remove(slice) == null) {
      cluster.broken(node + ": a slice was reported that is not posted");
    }
  }

  /** How many checks of its rails have ended. */
  int checks() {
    return checks;
  }

  void checked() {
    checks++;
  }

  int posted() {
    return posted.size();
  }

  /** Bytes of what applications asked for. */
  long postedBytes() {
    long sum = 0;
    for (var slice : posted.keySet()) {
      sum += slice instanceof RailEcho ? 0 : slice.length();
    }
    return sum;
  }

  /** Whether a posted slice uses local memory. */
  boolean uses(int at, int length) {
    for (var slice : posted.keySet()) {
      int from = node.offset(slice.memory().address() + slice.offset());
      if (from < at + length && at < from + slice.length()) {
        return true;
      }
    }
    return false;
  }

  // ---- channels

  void up(CheckedChannel channel) {
    channels.add(channel);
  }

  void down(CheckedChannel channel) {
    if (!channels.remove(channel)) {
      cluster.broken(node + ": " + channel + " went down and was not up");
    }
    for (var on : posted.values()) {
      if (on == channel) {
        cluster.broken(node + ": " + channel + " went down with a slice that it never reported");
      }
    }
  }

  CheckedChannel of(Channel inner) {
    for (var channel : channels) {
      if (channel.inner() == inner) {
        return channel;
      }
    }
    throw new AssertionError(node + ": a channel is down that was never up");
  }

  List<CheckedChannel> channels() {
    return channels;
  }

  // ---- paths

  void pause(String transport, PathId path, long until) {
    paused.put(new Path(transport, path), until);
    cluster.mark(Mark.PATH_PAUSED);
  }

  void returned(String transport, String remote, int remoteRail) {
    paused
        .keySet()
        .removeIf(
            path ->
                path.transport.equals(transport)
                    && path.id.remote().equals(remote)
                    && path.id.remoteRail() == remoteRail);
  }

  void forget(String transport, String remote) {
    paused
        .keySet()
        .removeIf(path -> path.transport.equals(transport) && path.id.remote().equals(remote));
  }

  boolean rests(String transport, PathId path, long now) {
    var until = paused.get(new Path(transport, path));
    return until != null && until - now > 0;
  }

  // ---- rails, and who is charged

  RailLog rail(String transport, int rail) {
    return rails.computeIfAbsent(transport + " " + rail, _ -> new RailLog());
  }

  /** A path is to rest: something must have broken at its other end, or on the way. */
  void charged(String transport, PathId path, Fault fault, long now) {
    var other = cluster.place(path.remote());
    if (other == null) {
      return;
    }
    var harm = cluster.harm();
    // What a process missed while it stood still itself is not told from what others did.
    boolean stoodStill = now - node.thawedAt() < Cluster.SECOND;
    boolean right = harm.ofHost(other.host()) || stoodStill || beyond(transport, path, other);
    if (!right) {
      cluster.broken(node + ": " + path + " rests by no fault of " + other + ": " + fault);
    }
  }

  /** Whether something broke that such a path may be charged for. */
  private boolean beyond(String transport, PathId path, Place other) {
    var harm = cluster.harm();
    var host = node.host();
    if (!cluster.fabric().knowsItsRails(transport)) {
      return harm.ofHost(host) || harm.between(host, other.host());
    }
    return cluster.fabric().numbersItsRails()
        ? harm.ofRail(other.host(), path.remoteRail())
            || harm.ofPath(host, path.localRail(), other.host(), path.remoteRail())
        : harm.beyond(host, other.host());
  }

  /** A rail of ours is taken out of use: it must have broken, or an operator wants it so. */
  void charged(String transport, int rail, String reason) {
    var harm = cluster.harm();
    boolean numbered = cluster.fabric().numbersItsRails();
    boolean right =
        numbered
            ? harm.ofRail(node.host(), rail)
            : harm.ofRail(node.host(), 0) || harm.ofRail(node.host(), 1);
    if (!right && !node.drained(transport, rail)) {
      cluster.broken(node + ": rail " + rail + " of " + transport + " is inactive: " + reason);
    }
  }

  /** A peer is not called for a time. */
  void silent(String address, String why) {
    var other = cluster.place(address);
    if (other != null
        && !cluster.harm().ofHost(other.host())
        && !cluster.harm().between(node.host(), other.host())) {
      cluster.broken(node + ": " + other + " is not called, and was never silent: " + why);
    }
  }

  // ---- registered memory

  void registered(Region region) {
    regions.put(region.id(), region);
  }

  /** Keys of several rails are of one region: it is gone with the last. */
  void unregistered(Region region) {
    regions.remove(region.id());
    int at = node.offset(region.address());
    if (holds(at, (int) region.length())) {
      cluster.broken(node + ": memory was unregistered while a peer's request holds it");
    }
    if (uses(at, (int) region.length())) {
      cluster.broken(node + ": memory was unregistered while a slice uses it");
    }
  }

  boolean holds(int at, int length) {
    for (var one : held) {
      if (one.at < at + length && at < one.at + one.length) {
        return true;
      }
    }
    return false;
  }

  boolean holdsForWriting(int at, int length) {
    for (var one : held) {
      if (one.write && one.at < at + length && at < one.at + one.length) {
        return true;
      }
    }
    return false;
  }

  int held() {
    return held.size();
  }

  Refusal acquire(
      dev.shunt.api.spi.Regions real,
      long address,
      long length,
      long key,
      boolean write,
      Lease lease) {
    var one = spare.isEmpty() ? new Held(this) : spare.removeLast();
    boolean anyKey = cluster.weakness() == Weakness.KEYS_NOT_CHECKED;
    var refusal = real.acquire(address, length, anyKey ? 0 : key, write, one.inner);
    if (refusal != Refusal.NONE) {
      spare.add(one);
      return refusal;
    }
    one.at = node.offset(address);
    one.length = (int) length;
    one.write = write;
    held.add(one);
    granted(one, key);
    lease.grant(one, one.inner.memory(), one.inner.offset());
    return refusal;
  }

  private void granted(Held one, long key) {
    var region = regions.get(key);
    if (region == null) {
      cluster.broken(node + ": a peer's request was let in by a key that is none now");
      return;
    }
    int from = node.offset(region.address());
    if (one.at < from || one.at + one.length > from + region.length()) {
      cluster.broken(node + ": a peer's request was let in beyond its registration");
    }
    if (one.write ? !region.access().writable() : !region.access().readable()) {
      cluster.broken(node + ": a peer's request was let in against access " + region.access());
    }
    if (one.write && node.owns(one.at)) {
      node.changing(one.at, one.length, "a request by lease");
    }
  }

  /** A fabric wrote into this process' memory. */
  void wrote(MemorySegment into, long offset, long length, String who) {
    int at = node.offset(into.address() + offset);
    if (at < Ground.REACHED) {
      node.changing(at, (int) length, who);
    } else if (!cluster.story().expects(node, at, (int) length)) {
      cluster.broken(
          node + ": [" + at + ", +" + length + ") was written by " + who + " and nobody reads");
    }
  }
}

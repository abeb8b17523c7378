package dev.shunt.api.sim;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Hosts, their addresses, and the paths between each two of them. Behaves as TCP does where it
 * matters to what is above: a closed stream still delivers what was written, an aborted one what is
 * under way; a lost packet comes late and holds up all that follow; a silent peer stays silent for
 * minutes.
 */
public final class SimNetwork {
  private final World world;
  private final Rings rings;
  private final Dice dice;
  private final List<SimHost> hosts = new ArrayList<>();
  private final Map<InetAddress, SimRail> rails = new HashMap<>();
  private final Map<Long, SimPath> paths = new HashMap<>();
  private final List<SimPath> pathList = new ArrayList<>();
  private final List<SimWire> open = new ArrayList<>();
  private long latency = 20_000;
  private long bytesPerSecond = 2_500_000_000L;
  private int smallestBuffer = 4 << 10;
  private int largestBuffer = 64 << 10;
  private int partialPermille = 200;
  private long retransmission = 200_000_000L;
  private long giveUp = 120_000_000_000L;
  private long connectTimeout = 127_000_000_000L;
  private int sparedPort = -1;
  private BiConsumer<SimHost, SimHost> onDamage = (from, to) -> {};

  /** A network with buffers of its own. */
  public SimNetwork(World world) {
    this(world, new Rings());
  }

  /** A network that takes its buffers from a pool. */
  public SimNetwork(World world, Rings rings) {
    this.world = world;
    this.rings = rings;
    dice = world.dice("network");
  }

  /** Adds a host. */
  public SimHost host(String name, String... addresses) {
    var host = new SimHost(this, name);
    for (var text : addresses) {
      var address = address(text);
      var rail = new SimRail(host, address, rails.size());
      if (rails.putIfAbsent(address, rail) != null) {
        throw new IllegalArgumentException("the address " + text + " belongs to another host");
      }
      host.rails().add(rail);
    }
    hosts.add(host);
    return host;
  }

  /** All hosts. */
  public List<SimHost> hosts() {
    return hosts;
  }

  /** The way from one address to another. */
  public SimPath path(String from, String to) {
    return path(rails.get(address(from)), rails.get(address(to)));
  }

  /** The way from one rail to another. */
  public SimPath path(SimRail from, SimRail to) {
    long key = (long) from.number() << 32 | to.number();
    var path = paths.get(key);
    if (path == null) {
      path = new SimPath(this, from, to);
      paths.put(key, path);
      pathList.add(path);
    }
    return path;
  }

  /** All paths that were ever used, in the order of their first use. */
  public List<SimPath> paths() {
    return pathList;
  }

  /** Both ends of all open connections, in the order in which they opened. */
  public List<SimWire> open() {
    return open;
  }

  /** How long a packet takes at least; as much again is left to chance. For paths to come. */
  public SimNetwork latency(long nanos) {
    latency = nanos;
    return this;
  }

  /** How much goes through a path. For paths to come. */
  public SimNetwork bandwidth(long bytes) {
    bytesPerSecond = bytes;
    return this;
  }

  /** The size of each socket buffer lies between these. For connections to come. */
  public SimNetwork buffers(int smallest, int largest) {
    smallestBuffer = smallest;
    largestBuffer = largest;
    return this;
  }

  /** So many reads and writes of a thousand move less than they could. */
  public SimNetwork partial(int permille) {
    partialPermille = permille;
    return this;
  }

  /** The first retransmission comes after so long; each further one after twice as long. */
  public SimNetwork retransmission(long nanos) {
    retransmission = nanos;
    return this;
  }

  /** A sender whose bytes nobody acknowledges for so long gives up. */
  public SimNetwork giveUp(long nanos) {
    giveUp = nanos;
    return this;
  }

  /** An attempt to connect that nobody answers for so long fails. */
  public SimNetwork connectTimeout(long nanos) {
    connectTimeout = nanos;
    return this;
  }

  /** Connections to this port are never damaged: what they carry has no checksum. */
  public SimNetwork spare(int port) {
    sparedPort = port;
    return this;
  }

  /** Told whenever data between two hosts was damaged on its way from the one to the other. */
  public SimNetwork onDamage(BiConsumer<SimHost, SimHost> listener) {
    onDamage = listener;
    return this;
  }

  boolean spared(SimWire wire) {
    return wire.local().getPort() == sparedPort || wire.remote().getPort() == sparedPort;
  }

  void damaged(SimRail from, SimRail to) {
    onDamage.accept(from.host(), to.host());
  }

  World world() {
    return world;
  }

  Rings rings() {
    return rings;
  }

  Dice dice() {
    return dice;
  }

  SimRail rail(InetAddress address) {
    return rails.get(address);
  }

  long latency() {
    return latency;
  }

  long bytesPerSecond() {
    return bytesPerSecond;
  }

  long retransmission() {
    return retransmission;
  }

  long giveUp() {
    return giveUp;
  }

  long connectTimeout() {
    return connectTimeout;
  }

  int bufferSize() {
    return (int) dice.between(smallestBuffer, largestBuffer);
  }

  int packetSize() {
    return dice.below(8) == 0 ? (int) dice.between(1, 1448) : 64 << 10;
  }

  long some(long most) {
    return most > 1 && dice.permille(partialPermille) ? dice.between(1, most) : most;
  }

  void opened(SimWire wire) {
    open.add(wire);
  }

  void ended(SimWire wire) {
    open.remove(wire);
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(text + " is no address", e);
    }
  }
}

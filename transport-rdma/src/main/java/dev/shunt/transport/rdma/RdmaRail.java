package dev.shunt.transport.rdma;

import dev.shunt.api.spi.Rail;
import dev.shunt.transport.rdma.core.RailLife;
import dev.shunt.transport.rdma.core.VendorTable;
import dev.shunt.transport.rdma.verbs.DeviceOrigin;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.PortInfo;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A port of a device. The supervisor's, but for what the SPI lets any thread ask.
 *
 * <p>It outlives its context: the open device, with the queues of lanes, that it uses at present.
 */
final class RdmaRail implements Rail {
  private static final int MOST_REFUSED = 256;

  private final String name;
  private final int index;
  private final String deviceName;
  private final DeviceOrigin origin;
  private final int port;
  private final RailLife life;
  private RdmaDevice device;
  private final Set<GidEntry> refused = new HashSet<>();
  private List<LaneQueue> queues = new ArrayList<>();
  private Consumer<String> watch = why -> {};
  private int context;
  private PortInfo info;
  private GidEntry gid;
  private volatile boolean active = true;
  private volatile VendorTable vendorTable = VendorTable.NONE;
  private volatile Map<String, String> attributes;

  RdmaRail(String name, int index, RdmaDevice device, int port, RailLife life) {
    this.name = name;
    this.index = index;
    this.device = device;
    deviceName = device.verbs().name();
    origin = device.origin();
    this.port = port;
    this.life = life;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public Map<String, String> attributes() {
    return attributes;
  }

  @Override
  public String location() {
    int node = origin.numaNode();
    return node < 0 ? "" : "cpu:" + node;
  }

  /**
   * Its context: the device as it was opened for it last.
   *
   * @throws VerbsException between two of them
   */
  RdmaDevice device() {
    if (device == null) {
      throw new VerbsException(
          "using rail " + name + ", whose context is made anew,", VerbsException.EIO);
    }
    return device;
  }

  /** Whether it has a context, of use or not. */
  boolean hasDevice() {
    return device != null;
  }

  /** Whether the device of its context still has QPs of it. */
  boolean inUse() {
    return device != null
        && device.owners().values().stream().anyMatch(owner -> owner.rail() == this);
  }

  /** The name of its device, as verbs have it. */
  String deviceName() {
    return deviceName;
  }

  /** The queues of that context, by lane. */
  List<LaneQueue> queues() {
    return queues;
  }

  /** The number of that context, from 0. */
  int context() {
    return context;
  }

  /** Its context is taken from it. */
  void strip() {
    device = null;
    queues = new ArrayList<>();
  }

  /** It uses another context from here on. */
  void renew(RdmaDevice next, List<LaneQueue> made) {
    device = next;
    queues = new ArrayList<>(made);
    context++;
  }

  /** Who hears that a queue of it is broken. */
  void watch(Consumer<String> watcher) {
    watch = watcher;
  }

  /** A queue of a lane cannot be polled; one that is not in use any more is nobody's concern. */
  void queueBroken(LaneQueue queue, String why) {
    if (queues.contains(queue)) {
      broken(why);
    }
  }

  /** Something of its context is broken. */
  void broken(String why) {
    watch.accept(why);
  }

  /** What the device's own numbers in completions mean; lanes ask too. */
  VendorTable vendorTable() {
    return vendorTable;
  }

  void vendorTable(VendorTable table) {
    vendorTable = table;
  }

  int port() {
    return port;
  }

  RailLife life() {
    return life;
  }

  PortInfo info() {
    return info;
  }

  GidEntry gid() {
    return gid;
  }

  /** Its device did not connect from an entry, and did from another one. */
  void refuse(GidEntry entry) {
    if (refused.size() < MOST_REFUSED) {
      refused.add(entry);
    }
  }

  /** Of what is not in the table any more nothing is known. */
  void tableIs(List<GidEntry> table) {
    refused.retainAll(table);
  }

  /** The link is another one from here on. */
  void forgetRefusals() {
    refused.clear();
  }

  /** Whether its device is known not to connect from an entry. */
  boolean refused(GidEntry entry) {
    return refused.contains(entry);
  }

  /** Whether it carries data; lanes ask too. */
  boolean active() {
    return active;
  }

  /** After {@link #life()} changed. */
  void refresh() {
    active = life.active();
  }

  /** Takes what the port tells now; answers whether peers must be told. */
  boolean update(PortInfo port, GidEntry entry) {
    info = port;
    gid = entry;
    var published = Map.of("gid", entry.gid().toString(), "lid", Integer.toString(port.lid()));
    boolean changed = !published.equals(attributes);
    attributes = published;
    return changed;
  }

  @Override
  public String toString() {
    return name;
  }
}

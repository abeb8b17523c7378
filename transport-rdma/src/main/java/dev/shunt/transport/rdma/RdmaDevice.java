package dev.shunt.transport.rdma;

import dev.shunt.transport.rdma.core.GidChoice;
import dev.shunt.transport.rdma.verbs.DeviceInfo;
import dev.shunt.transport.rdma.verbs.DeviceOrigin;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.PortInfo;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsDevice;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open device: the rails that it is the context of, and who owns which of its QPs. The
 * supervisor's.
 */
final class RdmaDevice {
  private static final Logger LOG = LoggerFactory.getLogger(RdmaDevice.class);

  private final VerbsDevice verbs;
  private final DeviceInfo info;
  private final List<RdmaRail> rails = new ArrayList<>();
  private final Map<Integer, QpOwner> owners = new HashMap<>();
  private final DeviceOrigin origin;
  private VerbsCq passiveCq;
  private volatile String refusedOrdering = "";
  private boolean deaf;

  RdmaDevice(VerbsDevice verbs) {
    this.verbs = verbs;
    info = verbs.info();
    origin = verbs.origin();
  }

  VerbsDevice verbs() {
    return verbs;
  }

  DeviceInfo info() {
    return info;
  }

  /** Where it sits. */
  DeviceOrigin origin() {
    return origin;
  }

  /** Why it registers memory without relaxed ordering although that is asked for; or empty. */
  String refusedOrdering() {
    return refusedOrdering;
  }

  /**
   * Registers memory. Any thread.
   *
   * @param relaxed whether the device may write in any order, if it can
   */
  VerbsRegion register(MemorySegment memory, int access, boolean relaxed) {
    if (!relaxed || !refusedOrdering.isEmpty()) {
      return verbs.register(memory, access);
    }
    try {
      return verbs.register(memory, access | Verbs.ACCESS_RELAXED_ORDERING);
    } catch (VerbsException e) {
      if (e.error() != VerbsException.EINVAL && e.error() != VerbsException.ENOTSUP) {
        throw e;
      }
      // If it takes the same in order, it was the order that it refused.
      var inOrder = verbs.register(memory, access);
      refusedOrdering = e.getMessage();
      LOG.warn("{} goes on without relaxed ordering: {}", verbs.name(), refusedOrdering);
      return inOrder;
    }
  }

  List<RdmaRail> rails() {
    return rails;
  }

  Map<Integer, QpOwner> owners() {
    return owners;
  }

  /** Whether its events are not asked for any more. */
  boolean deaf() {
    return deaf;
  }

  /** Its events cannot be read, or say nothing to anybody. */
  void deafen() {
    deaf = true;
  }

  /** The queue of QPs that only peers use: for tries whether these are still there. */
  VerbsCq passiveCq() {
    if (passiveCq == null) {
      passiveCq = verbs.createCq(PassiveProbes.AT_ONCE);
    }
    return passiveCq;
  }

  /** The GID entry to use on a port. */
  Optional<GidEntry> chooseGid(int port, PortInfo portInfo, int configured) {
    if (configured >= 0) {
      if (configured >= portInfo.gids()) {
        return Optional.empty();
      }
      return Optional.of(verbs.gid(port, configured)).filter(GidChoice::usable);
    }
    return GidChoice.best(gids(port, portInfo));
  }

  /** A port's GID table, as it is now. */
  List<GidEntry> gids(int port, PortInfo portInfo) {
    var entries = new ArrayList<GidEntry>();
    for (int i = 0; i < portInfo.gids(); i++) {
      entries.add(verbs.gid(port, i));
    }
    return entries;
  }

  /** Closes what it opened itself; answers with what could not be closed, or empty. */
  String close() {
    int error = passiveCq == null ? 0 : passiveCq.close();
    passiveCq = error == 0 ? null : passiveCq;
    try {
      verbs.close();
    } catch (RuntimeException e) {
      return e.getMessage();
    }
    return error == 0 ? "" : "error " + error + " of a completion queue";
  }
}

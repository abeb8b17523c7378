package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.core.AsyncClass;
import dev.shunt.transport.rdma.observe.DeviceEvent;
import dev.shunt.transport.rdma.verbs.AsyncEvent;
import dev.shunt.transport.rdma.verbs.AsyncEvents;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns asynchronous events into what becomes of rails and endpoints. The supervisor's. */
final class RailWatch {
  private static final Logger LOG = LoggerFactory.getLogger(RailWatch.class);

  private final TransportContext context;
  private final RdmaSettings settings;
  private final RailListener listener;
  private final Endpoints endpoints;
  private final PassiveEndpoints accepted;
  private final AsyncEvent event = new AsyncEvent();
  private final Map<Integer, Long> counts = new TreeMap<>();
  private boolean closed;

  RailWatch(
      TransportContext context,
      RdmaSettings settings,
      RailListener listener,
      Endpoints endpoints,
      PassiveEndpoints accepted) {
    this.context = context;
    this.settings = settings;
    this.listener = listener;
    this.endpoints = endpoints;
    this.accepted = accepted;
  }

  /** Events by type, so far. */
  Map<Integer, Long> counts() {
    return counts;
  }

  /** Listens to a device from now on. */
  void watch(RdmaDevice device) {
    device.watch(why -> deviceDown(device, why));
    if (device.verbs().polled()) {
      poll(device);
    } else {
      drain(device);
    }
  }

  void close() {
    closed = true;
  }

  private void poll(RdmaDevice device) {
    if (closed) {
      return;
    }
    drain(device);
    long next = context.now() + settings.eventPollInterval().toNanos();
    context.supervisor().at(next, () -> poll(device));
  }

  /** Handles all events that a device has. */
  void drain(RdmaDevice device) {
    try {
      while (!closed && device.verbs().nextEvent(event)) {
        handle(device, event.type(), event.subject());
      }
    } catch (VerbsException e) {
      deviceDown(device, e.getMessage());
    }
  }

  private void handle(RdmaDevice device, int type, int subject) {
    var name = AsyncEvents.name(type);
    counts.merge(type, 1L, Long::sum);
    DeviceEvent.record(context.node(), device.verbs().name(), name, subject);
    switch (AsyncClass.of(type)) {
      case DEVICE_DOWN -> deviceDown(device, name);
      case PORT_DOWN -> rail(device, subject).ifPresent(rail -> down(rail, name));
      case PORT_UP -> rail(device, subject).ifPresent(this::up);
      case GID_CHANGED -> rail(device, subject).ifPresent(rail -> gidChanged(rail, name));
      case QP_BROKEN -> {
        var owner = device.owners().get(subject);
        if (owner != null) {
          owner.qpBroken(name);
        }
      }
      case COUNTED -> {
        if (counts.get(type) == 1) {
          LOG.info("{}: {}; more are only counted", device.verbs().name(), name);
        }
      }
    }
  }

  private static Optional<RdmaRail> rail(RdmaDevice device, int port) {
    return device.rails().stream().filter(rail -> rail.port() == port).findFirst();
  }

  private void deviceDown(RdmaDevice device, String why) {
    for (var rail : device.rails()) {
      breakRail(rail, why);
    }
  }

  /** It is inactive until the process ends. */
  void breakRail(RdmaRail rail, String why) {
    if (rail.life().broken()) {
      inactive(rail, RailLoss.FATAL, why);
    }
  }

  private void down(RdmaRail rail, String why) {
    if (rail.life().down()) {
      inactive(rail, RailLoss.LINK, why);
    }
  }

  private void inactive(RdmaRail rail, RailLoss loss, String why) {
    rail.refresh();
    LOG.warn("rail {} is inactive: {}", rail, why);
    var text = "rail " + rail + " is inactive: " + why;
    var fault = new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text);
    listener.inactive(rail, loss, fault);
    endpoints.retireAll(rail, fault);
    accepted.destroyAll(rail, why);
  }

  private void up(RdmaRail rail) {
    if (!rail.life().up()) {
      return;
    }
    // An address that cannot be read leaves it inactive, until the next event of the port.
    if (!reread(rail)) {
      rail.life().down();
      return;
    }
    rail.refresh();
    LOG.info("rail {} is back", rail);
    listener.returned(rail);
  }

  private void gidChanged(RdmaRail rail, String why) {
    if (!rail.active()) {
      return;
    }
    var before = rail.gid();
    if (!reread(rail)) {
      down(rail, why + ", and no usable GID is left");
    } else if (!before.equals(rail.gid())) {
      var text = "rail " + rail + " has another GID now: " + rail.gid().gid();
      var fault = new Fault(Blame.NEUTRAL, FailureCode.CONNECTION, Effect.NONE, text);
      endpoints.retireAll(rail, fault);
      accepted.destroyAll(rail, text);
    }
  }

  private boolean reread(RdmaRail rail) {
    var device = rail.device();
    try {
      var port = device.verbs().port(rail.port());
      var gid = device.chooseGid(rail.port(), port, settings.gidIndex());
      if (!port.active() || gid.isEmpty()) {
        return false;
      }
      if (rail.update(port, gid.get())) {
        listener.changed(rail);
      }
      return true;
    } catch (VerbsException e) {
      LOG.warn("rail {}: its port cannot be read: {}", rail, e.getMessage());
      return false;
    }
  }
}

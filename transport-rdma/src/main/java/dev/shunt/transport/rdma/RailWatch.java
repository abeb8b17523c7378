package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.core.AsyncClass;
import dev.shunt.transport.rdma.core.GidChoice;
import dev.shunt.transport.rdma.observe.DeviceEvent;
import dev.shunt.transport.rdma.verbs.AsyncEvent;
import dev.shunt.transport.rdma.verbs.AsyncEvents;
import dev.shunt.transport.rdma.verbs.GidEntry;
import dev.shunt.transport.rdma.verbs.PortInfo;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns asynchronous events into what becomes of rails and endpoints. The supervisor's. */
final class RailWatch {
  private static final Logger LOG = LoggerFactory.getLogger(RailWatch.class);

  /** So often a port without a link is looked at, whatever its events tell. */
  private static final long LOOK_INTERVAL = 1_000_000_000L;

  private final TransportContext context;
  private final RdmaSettings settings;
  private final RailListener listener;
  private final Endpoints endpoints;
  private final PassiveEndpoints accepted;
  private final AsyncEvent event = new AsyncEvent();
  private final Map<Integer, Long> counts = new TreeMap<>();
  private final Set<RdmaRail> looking = new HashSet<>();
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

  /** Listens to a device, and to the queues of its rails, from now on. */
  void watch(RdmaDevice device) {
    for (var rail : device.rails()) {
      rail.watch(why -> lose(rail, RailLoss.ERRORS, why));
    }
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
    drain(device);
    if (!closed && !device.deaf()) {
      long next = context.now() + settings.eventPollInterval().toNanos();
      context.supervisor().at(next, () -> poll(device));
    }
  }

  /** Handles all events that a device has. */
  void drain(RdmaDevice device) {
    try {
      while (!closed && !device.deaf() && device.verbs().nextEvent(event)) {
        handle(device, event.type(), event.subject());
      }
    } catch (VerbsException e) {
      deaf(device, e.getMessage());
    }
  }

  private void handle(RdmaDevice device, int type, int subject) {
    var name = AsyncEvents.name(type);
    counts.merge(type, 1L, Long::sum);
    DeviceEvent.record(context.node(), device.verbs().name(), name, subject);
    switch (AsyncClass.of(type)) {
      case DEVICE_BROKEN -> all(device).forEach(rail -> lose(rail, RailLoss.FATAL, name));
      case QUEUE_BROKEN -> all(device).forEach(rail -> lose(rail, RailLoss.ERRORS, name));
      case PORT_DOWN -> rail(device, subject).ifPresent(rail -> down(rail, name));
      case PORT_UP -> rail(device, subject).ifPresent(this::up);
      case PORT_MOVED -> rail(device, subject).ifPresent(rail -> moved(rail, name));
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

  /**
   * The entry that it has, as long as that is there: another one may not be what works. But one
   * that reaches no further than the link gives way to one that does: it was taken when there was
   * nothing else, and peers beyond the link can only be reached from the other.
   */
  private Optional<GidEntry> address(RdmaRail rail, PortInfo port) {
    var device = rail.device();
    var had = rail.gid();
    if (had.index() >= port.gids() || !had.equals(device.verbs().gid(rail.port(), had.index()))) {
      return device.chooseGid(rail.port(), port, settings.gidIndex());
    }
    if (settings.gidIndex() >= 0 || !GidChoice.onLinkOnly(had)) {
      return Optional.of(had);
    }
    var table = device.gids(rail.port(), port);
    rail.tableIs(table);
    var others = table.stream().filter(gid -> !rail.refused(gid)).toList();
    return GidChoice.best(others)
        .filter(gid -> !GidChoice.onLinkOnly(gid))
        .or(() -> Optional.of(had));
  }

  private static List<RdmaRail> all(RdmaDevice device) {
    return List.copyOf(device.rails());
  }

  private static Optional<RdmaRail> rail(RdmaDevice device, int port) {
    return device.rails().stream().filter(rail -> rail.port() == port).findFirst();
  }

  /** Nobody would hear that a link is back: time alone decides when it is looked at. */
  private void deaf(RdmaDevice device, String why) {
    device.deafen();
    for (var rail : all(device)) {
      loseUnseen(rail, "its events cannot be read: " + why);
    }
  }

  private void loseUnseen(RdmaRail rail, String why) {
    lose(rail, RailLoss.ERRORS, why);
    if (rail.life().up()) {
      listener.returned(rail);
    }
  }

  /** Its context is of no use any more. */
  private void lose(RdmaRail rail, RailLoss loss, String why) {
    boolean news = rail.life().lose();
    if (loss == RailLoss.FATAL ? rail.life().breakDown() : news) {
      inactive(rail, loss, why);
    }
    if (news) {
      endpoints.loseAll(rail, fault(rail, why));
    }
  }

  /** More of it is kept aside than may be: an operator has to look at it. */
  void giveUp(RdmaRail rail, String why) {
    if (rail.life().breakDown()) {
      inactive(rail, RailLoss.FATAL, why);
    }
  }

  private void down(RdmaRail rail, String why) {
    rail.forgetRefusals();
    if (rail.life().down()) {
      inactive(rail, RailLoss.LINK, why);
      lookLater(rail);
    }
  }

  /** The event of its return may have come too soon to be of use, or never comes. */
  private void lookLater(RdmaRail rail) {
    if (looking.add(rail)) {
      context.supervisor().at(context.now() + LOOK_INTERVAL, () -> lookAgain(rail));
    }
  }

  private void lookAgain(RdmaRail rail) {
    looking.remove(rail);
    if (closed || rail.life().linked()) {
      return;
    }
    // Of a context that is lost only its events tell.
    if (!rail.life().lost()) {
      up(rail);
    }
    if (!rail.life().linked()) {
      lookLater(rail);
    }
  }

  /** No event tells the end of it, as one does where a link is lost. */
  private void moved(RdmaRail rail, String why) {
    if (rail.life().fail()) {
      inactive(rail, RailLoss.ERRORS, why);
    }
  }

  private void inactive(RdmaRail rail, RailLoss loss, String why) {
    rail.refresh();
    var fault = fault(rail, why);
    // The runtime tells of it, and of which rail.
    listener.inactive(rail, loss, new Fault(fault.blame(), fault.code(), fault.effect(), why));
    endpoints.retireAll(rail, fault);
    accepted.destroyAll(rail, why);
  }

  private static Fault fault(RdmaRail rail, String why) {
    var text = "rail " + rail + " is inactive: " + why;
    return new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, text);
  }

  /** A port without an address is as one without a link, until its next event or look. */
  private void up(RdmaRail rail) {
    if (rail.life().linked() || !rail.life().lost() && !reread(rail).isEmpty()) {
      return;
    }
    rail.life().up();
    rail.refresh();
    LOG.info("the link of rail {} is back", rail);
    listener.returned(rail);
  }

  private void gidChanged(RdmaRail rail, String why) {
    if (!rail.life().linked()) {
      // A link whose port had no address so far is of use from here on.
      up(rail);
    } else if (!rail.life().lost()) {
      var problem = reread(rail);
      if (!problem.isEmpty() && !rail.life().lost()) {
        down(rail, why + ", and " + problem);
      }
    }
  }

  /**
   * Looks at the port of a rail that is to be used again.
   *
   * @return what is wrong, or nothing
   */
  String look(RdmaRail rail) {
    var problem = reread(rail);
    if (!problem.isEmpty()) {
      // The next event of the port tells when it is worth another look.
      if (!rail.life().lost()) {
        down(rail, problem);
      }
    } else if (rail.life().up()) {
      rail.refresh();
    }
    return problem;
  }

  /**
   * Takes what the port tells now. Connections that go by another address than it has are made
   * anew.
   *
   * @return what is wrong, or nothing
   */
  private String reread(RdmaRail rail) {
    var device = rail.device();
    try {
      var port = device.verbs().port(rail.port());
      if (!port.active()) {
        return "its port is not active";
      }
      var gid = address(rail, port);
      if (gid.isEmpty()) {
        return "its port has no usable GID";
      }
      var before = rail.gid();
      if (rail.update(port, gid.get())) {
        listener.changed(rail);
      }
      if (!before.equals(rail.gid())) {
        var text = "rail " + rail + " has another GID now: " + rail.gid().gid();
        endpoints.retireAll(
            rail, new Fault(Blame.NEUTRAL, FailureCode.CONNECTION, Effect.NONE, text));
        accepted.destroyAll(rail, text);
      }
      return "";
    } catch (VerbsException e) {
      var problem = "its port cannot be read: " + e.getMessage();
      loseUnseen(rail, problem);
      return problem;
    }
  }
}

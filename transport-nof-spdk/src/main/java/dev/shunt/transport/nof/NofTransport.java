package dev.shunt.transport.nof;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Limits;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.TargetOpening;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportException;
import dev.shunt.transport.nof.core.NamespaceFacts;
import dev.shunt.transport.nof.core.TargetId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transfers to NVMe over Fabrics targets, by an NVMe/TCP initiator of its own. */
final class NofTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(NofTransport.class);
  private static final int MAX_TARGETS = 4096;
  private static final RegionKey NO_KEY = () -> 0;

  /** A controller's place: a local rail, a portal, a subsystem. */
  private record Place(int rail, String portal, String subsystem) {
    static Place of(NofRail rail, TargetId target) {
      return new Place(rail.index(), target.portal(), target.subsystem());
    }
  }

  private final TransportContext context;
  private final NofSettings settings;
  private final Limits limits;
  private final List<NofRail> rails = new ArrayList<>();
  private final NofLane[] lanes;
  private final Map<Place, NofController> controllers = new LinkedHashMap<>();
  private final Map<TargetId, NamespaceFacts> opened = new LinkedHashMap<>();
  private boolean closed;

  NofTransport(TransportContext context, NofSettings settings) {
    this.context = context;
    this.settings = settings;
    lanes = new NofLane[context.lanes()];
    limits =
        new Limits(
            settings.sliceSize(),
            settings.maxSlice(),
            settings.ioQueueSize() - 1,
            true,
            false,
            true,
            Limits.Fencing.NONE);
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public List<? extends Rail> start(RailListener listener) {
    if (settings.keepAlive() == 0) {
      LOG.warn(
          "keep-alive-timeout is 0: keep-alive is off, and a target keeps the connections of a node"
              + " that is gone");
    }
    if (settings.rails().isEmpty()) {
      rails.add(new NofRail("any", 0, new InetSocketAddress(0)));
      return List.copyOf(rails);
    }
    for (var name : settings.rails()) {
      try {
        var address = new InetSocketAddress(InetAddress.ofLiteral(name), 0);
        context.supervisor().wires().listen(address, (wire, now) -> null).close();
        rails.add(new NofRail(name, rails.size(), address));
      } catch (TransportException | IllegalArgumentException e) {
        if (settings.strictRails()) {
          throw new TransportException(
              FailureCode.NO_RAIL, "rail " + name + " cannot be had: " + e.getMessage(), e);
        }
        LOG.warn("rail {} is left out: {}", name, e.getMessage());
      }
    }
    if (rails.isEmpty()) {
      throw new TransportException(
          FailureCode.NO_RAIL,
          "none of the rails " + settings.rails() + " can be had; see the warnings before");
    }
    return List.copyOf(rails);
  }

  @Override
  public LaneDriver openLane(int lane, LaneListener listener) {
    lanes[lane] = new NofLane(context.wires().open("nof lane " + lane), listener);
    return lanes[lane];
  }

  /** TCP reads and writes any memory; there is nothing to register and no key. */
  @Override
  public RegionKey register(Rail rail, Region region) {
    return NO_KEY;
  }

  @Override
  public void unregister(RegionKey key) {
    // Nothing was registered.
  }

  @Override
  public void fence(LinkId link, Consumer<Boolean> answer) {
    answer.accept(false);
  }

  @Override
  public boolean owns(String segmentName) {
    return TargetId.claims(segmentName);
  }

  @Override
  public void openTarget(String segmentName, long deadline, Consumer<TargetOpening> answer) {
    TargetId target;
    try {
      target = TargetId.parse(segmentName);
    } catch (IllegalArgumentException e) {
      answer.accept(new TargetOpening.Refused(wrongName(segmentName, e)));
      return;
    }
    new Opening(target, deadline, answer).tryRail(0);
  }

  /** Opens a target by one rail after the other, until one does. */
  private final class Opening {
    private final TargetId target;
    private final long deadline;
    private final Consumer<TargetOpening> answer;

    Opening(TargetId target, long deadline, Consumer<TargetOpening> answer) {
      this.target = target;
      this.deadline = deadline;
      this.answer = answer;
    }

    void tryRail(int index) {
      var what = "opening " + target.name();
      var wish = new Wish(context, what, deadline, fault -> failed(index, fault));
      find(rails.get(index), target, wish, (controller, facts, now) -> found(controller, facts));
    }

    private void found(NofController controller, NamespaceFacts facts) {
      if (!opened.containsKey(target) && opened.size() == MAX_TARGETS) {
        var text = "more than " + MAX_TARGETS + " targets are open";
        answer.accept(new TargetOpening.Refused(local(FailureCode.RESOURCE, text)));
        return;
      }
      opened.put(target, facts);
      answer.accept(
          new TargetOpening.Opened(
              facts.size(),
              facts.blockSize(),
              controller.maxSlice(facts),
              List.of(NofPortal.of(target))));
    }

    private void failed(int index, Fault fault) {
      boolean another = index + 1 < rails.size() && context.now() - deadline < 0 && !closed;
      if (another && fault.blame() != Fault.Blame.REQUEST) {
        tryRail(index + 1);
      } else {
        answer.accept(new TargetOpening.Refused(fault));
      }
    }
  }

  @Override
  public void connect(ConnectRequest request) {
    var wish =
        new Wish(
            context,
            "connecting to " + request.remote().name(),
            request.deadline(),
            fault -> refuse(request, fault));
    if (!(request.local() instanceof NofRail rail)) {
      wish.fail(local(FailureCode.NO_RAIL, "rail " + request.local().name() + " is not ours"));
      return;
    }
    try {
      var target = TargetId.parse(request.remote().name());
      find(
          rail,
          target,
          wish,
          (controller, facts, now) -> connect(request, target, controller, facts, now));
    } catch (IllegalArgumentException e) {
      wish.fail(wrongName(request.remote().name(), e));
    }
  }

  private void connect(
      ConnectRequest request,
      TargetId target,
      NofController controller,
      NamespaceFacts facts,
      long now) {
    var known = opened.get(target);
    if (known != null && !known.same(facts)) {
      var text =
          target.name()
              + " is another namespace than the one that was opened ("
              + known
              + ", now "
              + facts
              + "): its data are gone";
      refuse(
          request,
          new Fault(Fault.Blame.REQUEST, FailureCode.STALE_GENERATION, Fault.Effect.NONE, text));
      return;
    }
    var plan = controller.plan(request, facts, now);
    if (plan == null) {
      var text = "all I/O queues of the controller are taken: raise num-io-queues, here or there";
      refuse(request, local(FailureCode.RESOURCE, text));
      return;
    }
    var lane = lanes[request.lane()];
    if (!context.lane(request.lane()).execute(() -> lane.connect(plan, context.now()))) {
      controller.released(plan);
    }
  }

  private void refuse(ConnectRequest request, Fault fault) {
    var lane = lanes[request.lane()];
    context.lane(request.lane()).execute(() -> lane.listener().connectFailed(request, fault));
  }

  /** What comes of {@link #find}. */
  private interface Found {
    void found(NofController controller, NamespaceFacts facts, long now);
  }

  /** Finds or makes the controller of a path, and looks the namespace up on it. */
  private void find(NofRail rail, TargetId target, Wish wish, Found found) {
    long now = context.now();
    if (closed) {
      wish.fail(local(FailureCode.CLOSED, "the transport is closed"));
      return;
    }
    var place = Place.of(rail, target);
    var controller = controllers.get(place);
    if (controller == null) {
      if (controllers.size() >= settings.maxControllers() && !evict(now)) {
        wish.fail(local(FailureCode.RESOURCE, "max-controllers are connected, none of them idle"));
        return;
      }
      controller = new NofController(context, settings, this, rail, target, portal(target));
      controllers.put(place, controller);
      controller.connect(now);
    }
    controller.await(
        new NofController.Waiter() {
          @Override
          public void up(NofController up, long at) {
            if (wish.open()) {
              up.lookUp(target.namespace(), lookup(up, wish, found), at);
            }
          }

          @Override
          public void failed(Fault fault) {
            wish.fail(fault);
          }
        },
        now);
  }

  private static NofController.Lookup lookup(NofController controller, Wish wish, Found found) {
    return new NofController.Lookup() {
      @Override
      public void found(NamespaceFacts facts, long now) {
        if (wish.fulfil()) {
          found.found(controller, facts, now);
        }
      }

      @Override
      public void refused(Fault fault, long now) {
        wish.fail(fault);
      }
    };
  }

  private boolean evict(long now) {
    for (var controller : controllers.values()) {
      if (controller.idle()) {
        controller.close(local(FailureCode.CLOSED, "idle, and others need its place"), now);
        return true;
      }
    }
    return false;
  }

  private static InetSocketAddress portal(TargetId target) {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(target.addressBytes()), target.port());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an IPv4 address", e);
    }
  }

  /** A controller is over. */
  void gone(NofController controller) {
    controllers.remove(Place.of(controller.rail(), controller.target()), controller);
  }

  /** Its qpair is to end. */
  void down(NofQueuePlan plan, Fault cause) {
    int number = plan.request().lane();
    var lane = lanes[number];
    context.lane(number).execute(() -> lane.down(plan, cause, context.now()));
  }

  @Override
  public void close() {
    closed = true;
    var fault = local(FailureCode.CLOSED, "the transport is closed");
    for (var controller : List.copyOf(controllers.values())) {
      controller.close(fault, context.now());
    }
  }

  private static Fault local(FailureCode code, String text) {
    return new Fault(Fault.Blame.NEUTRAL, code, Fault.Effect.NONE, text);
  }

  private static Fault wrongName(String name, IllegalArgumentException e) {
    return new Fault(
        Fault.Blame.REQUEST,
        FailureCode.REJECTED,
        Fault.Effect.NONE,
        "segment \"" + name + "\": " + e.getMessage());
  }
}

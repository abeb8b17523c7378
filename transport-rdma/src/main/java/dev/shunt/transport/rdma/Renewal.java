package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.transport.rdma.Remnants.Remnant;
import dev.shunt.transport.rdma.core.VendorTable;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a rail's context anew. What used the old one ends first; then the lanes let go of its
 * queues; then it is closed, the device is opened again, and all memory is registered with it. The
 * old one goes first, so that memory is never locked twice.
 *
 * <p>Another rail of the same device keeps the context that it has.
 *
 * <p>The supervisor's, but for what takes its time. Until it has ended well the rail's context is
 * lost; it may begin again then.
 */
final class Renewal {
  private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);
  private static final long LOOK_INTERVAL = 1_000_000L;

  /** Connections that are still being made then leave their context behind as it is. */
  private static final long PATIENCE = 1_000_000_000L;

  private final Workshop shop;
  private final RdmaRail rail;
  private final long deadline;
  private final Consumer<String> answer;
  private final AtomicBoolean claimed = new AtomicBoolean();

  /** What was made and is nobody's yet: whoever takes it installs or closes it. */
  private final AtomicReference<Made> fruit = new AtomicReference<>();

  private volatile boolean abandoned;
  private List<Remnant> old = List.of();
  private long patience;
  private int lanes;
  private boolean over;

  /** A registration that is to be made, and how it was made. */
  private record Kept(RdmaKey key, VerbsRegion region) {}

  /** A context. */
  private record Made(RdmaDevice device, List<Kept> kept, List<VerbsCq> queues) {
    /** All of it, for nobody. */
    void close() {
      if (device != null) {
        kept.forEach(one -> one.region.close());
        queues.forEach(VerbsCq::close);
        device.close();
      }
    }
  }

  private Renewal(Workshop shop, RdmaRail rail, long deadline, Consumer<String> answer) {
    this.shop = shop;
    this.rail = rail;
    this.deadline = deadline;
    this.answer = answer;
  }

  /**
   * Begins.
   *
   * @param answer called once, on the supervisor, about the deadline at the latest: what is wrong,
   *     or nothing
   * @return gives it up at the transport's end; does nothing after the answer
   */
  static Runnable run(Workshop shop, RdmaRail rail, long deadline, Consumer<String> answer) {
    var one = new Renewal(shop, rail, deadline, answer);
    one.begin();
    return one::abandon;
  }

  private void abandon() {
    over = true;
    abandoned = true;
    closeFruit();
  }

  private void closeFruit() {
    var made = fruit.getAndSet(null);
    if (made != null) {
      made.close();
    }
  }

  private void begin() {
    if (shop.remnants().tooMany(rail)) {
      answer.accept("earlier contexts of it were not let go of; only a new process helps");
      return;
    }
    shop.context().supervisor().at(deadline, () -> end("its context was not made anew in time"));
    rail.life().lose();
    rail.refresh();
    var text = "the context of rail " + rail + " is made anew";
    shop.endpoints()
        .loseAll(rail, new Fault(Blame.NEUTRAL, FailureCode.CONNECTION, Effect.NONE, text));
    shop.accepted().destroyAll(rail, text);
    patience = Math.min(deadline, shop.context().now() + PATIENCE);
    awaitQuiet();
  }

  /** Lanes have to hear of it, and calls that block to come back. */
  private void awaitQuiet() {
    if (over) {
      return;
    }
    long now = shop.context().now();
    if ((rail.inUse() || busy()) && patience - now > 0) {
      shop.context().supervisor().at(now + LOOK_INTERVAL, this::awaitQuiet);
    } else {
      takeQueues();
    }
  }

  private boolean busy() {
    return rail.hasDevice() && shop.registrations().busy(rail.device());
  }

  private void takeQueues() {
    lanes = shop.lanes().size();
    for (int i = 0; i < shop.lanes().size() && !over; i++) {
      var lane = shop.lanes().get(i);
      boolean told =
          shop.context()
              .lane(i)
              .execute(
                  () -> {
                    lane.letGo(rail);
                    lane.toSupervisor(this::takeContext);
                  });
      if (!told) {
        end("the engine is closing");
      }
    }
  }

  /** A lane has let go. */
  private void takeContext() {
    lanes--;
    if (over || lanes > 0) {
      return;
    }
    if (rail.hasDevice()) {
      var device = rail.device();
      device.rails().remove(rail);
      boolean whole = device.rails().isEmpty();
      if (whole) {
        device.deafen();
        shop.found().devices().remove(device);
      }
      var queues = rail.queues().stream().map(LaneQueue::cq).toList();
      rail.strip();
      shop.remnants()
          .add(new Remnant(rail, device, whole, shop.registrations().strip(rail), queues));
    }
    old = shop.remnants().take(shop.registrations());
    var wanted = shop.registrations().of(rail);
    int count = shop.lanes().size();
    shop.context()
        .attempts()
        .run(
            "making the context of rail " + rail + " anew",
            () -> make(wanted, count),
            deadline,
            this::made,
            this::late);
  }

  // ---- elsewhere

  private String make(List<RdmaKey> wanted, int count) {
    if (!claimed.compareAndSet(false, true)) {
      return "given up before it began";
    }
    old.forEach(Remnant::close);
    RdmaDevice device = null;
    var kept = new ArrayList<Kept>();
    var queues = new ArrayList<VerbsCq>();
    try {
      device = shop.open(rail.deviceName());
      int depth = Math.min(shop.settings().maxCqe(), device.info().maxCompletions());
      for (int i = 0; i < count; i++) {
        queues.add(device.verbs().createCq(depth));
      }
      for (var key : wanted) {
        kept.add(new Kept(key, register(device, key)));
      }
      fruit.set(new Made(device, kept, queues));
      if (abandoned) {
        closeFruit();
      }
      return "";
    } catch (VerbsException e) {
      new Made(device, kept, queues).close();
      return e.getMessage();
    }
  }

  private VerbsRegion register(RdmaDevice device, RdmaKey key) {
    try {
      return shop.registrations().pin(device, key);
    } catch (VerbsException e) {
      long bytes = key.memory().byteSize();
      LOG.warn(
          "rail {} does not come back: registering {} bytes: {}{}",
          rail,
          bytes,
          e.getMessage(),
          LockedMemory.hint(e, bytes));
      throw e;
    }
  }

  // ---- back on the supervisor

  private void made(String problem, Fault fault) {
    if (fault == null || claimed.compareAndSet(false, true)) {
      returnOld();
    }
    if (fault != null) {
      end(fault.text());
    } else if (!problem.isEmpty()) {
      end(problem);
    } else if (over) {
      closeFruit();
    } else {
      install(fruit.getAndSet(null));
    }
  }

  private void late(String problem) {
    returnOld();
    closeFruit();
  }

  private void returnOld() {
    var left = shop.remnants().giveBack(old);
    old = List.of();
    if (!left.isEmpty()) {
      LOG.warn("not closed: {}", left);
    }
  }

  private void install(Made made) {
    var device = made.device;
    try {
      adopt(made);
    } catch (VerbsException e) {
      // What was not adopted is closed with the rest.
      shop.remnants()
          .add(new Remnant(rail, device, true, shop.registrations().strip(rail), made.queues));
      end(e.getMessage());
      return;
    }
    device.rails().add(rail);
    shop.found().devices().add(device);
    var queues = made.queues.stream().map(queue -> new LaneQueue(rail, queue)).toList();
    rail.renew(device, queues);
    rail.vendorTable(new VendorTable(shop.settings().vendorErrors(), device.info().vendor()));
    rail.life().renewed();
    for (int i = 0; i < queues.size(); i++) {
      var lane = shop.lanes().get(i);
      var queue = queues.get(i);
      shop.context().lane(i).execute(() -> lane.take(queue));
    }
    LOG.info("rail {} has another context, with {} registrations", rail, made.kept.size());
    shop.renewed(rail, device);
    end("");
  }

  /** Registrations came and went meanwhile. */
  private void adopt(Made made) {
    int number = rail.context() + 1;
    for (var one : made.kept) {
      if (shop.registrations().has(one.key)) {
        one.key.register(one.region, number);
      } else {
        one.region.close();
      }
    }
    for (var key : shop.registrations().of(rail)) {
      if (!key.registered()) {
        key.register(register(made.device, key), number);
      }
    }
  }

  private void end(String problem) {
    if (!over) {
      over = true;
      answer.accept(problem);
    }
  }
}
